# Runs a command with MASTER_PORT set to a free port, or with --taken to one that is in use. Usage: with-port.py [--taken]
# COMMAND…
import os
import socket
import subprocess
import sys

taken = sys.argv[1] == "--taken"
with socket.socket() as probe:
    probe.bind(("127.0.0.1", 0))
    os.environ["MASTER_PORT"] = str(probe.getsockname()[1])
    if taken:
        probe.listen()
    else:
        probe.close()
    sys.exit(subprocess.run(sys.argv[2 if taken else 1 :]).returncode)
