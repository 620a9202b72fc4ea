"""Ends a bench's processes where Python ended without doing so, as by kill -9."""
import pathlib
import subprocess
import typing

# Its standard input closes when Python is gone, however that came. A line is a process id; "done"
# says that all is tidied up.
SCRIPT = """
pids=
while read -r word; do
  case $word in done) exit 0 ;; *) pids="$pids $word" ;; esac
done
[ -z "$pids" ] || kill -9 $pids 2>/dev/null
rm -rf -- "$1"
"""


class Guard:
    """A shell that waits for the end of this process, and then removes the folder."""

    def __init__(self, folder: pathlib.Path) -> None:
        self._shell = subprocess.Popen(
            ["/bin/sh", "-c", SCRIPT, "fob-guard", str(folder)], stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)

    def watch(self, pid: typing.Optional[int]) -> None:
        """To be ended, too. Its id is not used again while this process has not waited for it."""
        if pid is not None:
            self._say(str(pid))

    def done(self) -> None:
        """Nothing is left to end; may be repeated."""
        if self._shell.poll() is None:
            self._say("done")
        if self._shell.stdin is not None:
            try:
                self._shell.stdin.close()
            except BrokenPipeError:
                pass
        self._shell.wait()

    def _say(self, word: str) -> None:
        if self._shell.stdin is not None:
            try:
                self._shell.stdin.write(word.encode() + b"\n")
                self._shell.stdin.flush()
            except BrokenPipeError:
                pass
