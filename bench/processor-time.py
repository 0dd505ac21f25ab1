"""Runs a command, and writes the seconds of processor time of all its processes to a file: `processor-time.py FILE COMMAND...`.

Processes that outlive their parent count too, such as the one of esbuild. The shell's `time` leaves them out.
"""

import ctypes
import os
import resource
import signal
import subprocess
import sys
import time

PR_SET_CHILD_SUBREAPER = 36
# Processes that outlive the command get this time to end.
LATE_S = 5

file, *command = sys.argv[1:]
ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
# A signal for the whole group ends the command. This program still writes its file.
signal.signal(signal.SIGTERM, lambda *_: None)
code = subprocess.Popen(command).wait()
until = time.monotonic() + LATE_S
try:
    while time.monotonic() < until:
        if os.waitpid(-1, os.WNOHANG)[0] == 0:
            time.sleep(0.02)
except ChildProcessError:
    pass
used = resource.getrusage(resource.RUSAGE_CHILDREN)
with open(file, "w") as written:
    written.write(str(used.ru_utime + used.ru_stime))
sys.exit(code if code >= 0 else 128 - code)
