# Starts the ranks of a run as a launcher does, kills one, and prints how the others end. Usage: kill-rank.py RANKS VICTIM
# COMMAND…
import os
import signal
import socket
import subprocess
import sys
import time

ranks, victim, command = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
with socket.socket() as probe:
    probe.bind(("127.0.0.1", 0))
    port = probe.getsockname()[1]
processes = []
for rank in range(ranks):
    environment = dict(os.environ, RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE=str(ranks), MASTER_ADDR="127.0.0.1",
                       MASTER_PORT=str(port))
    processes.append(subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE))
# Rank 0 prints the prompt once all ranks have started.
processes[0].stdout.read(1)
processes[victim].send_signal(signal.SIGKILL)
killed = time.monotonic()
for rank, process in enumerate(processes):
    output, errors = process.communicate(timeout=60)
    if rank == victim:
        continue
    print(f"rank {rank} ended with {process.returncode}", "in time" if time.monotonic() - killed < 10 else "late")
    print("\n".join(line for line in errors.decode().splitlines() if "error" in line))
    print("printed nothing" if rank > 0 and not output else "")
