# Starts a command, sends it a signal after its first output, and checks its exit code and that a report says why it ended.
# Prints stderr.
import signal
import subprocess
import sys

name, *command = sys.argv[1:]
number = getattr(signal, name)
process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
process.stdout.read(20)
process.send_signal(number)
_, report = process.communicate(timeout=60)
sys.stdout.write(report.decode())
if process.returncode != 128 + number:
    sys.exit(f"expected exit code {128 + number}, got {process.returncode}")
