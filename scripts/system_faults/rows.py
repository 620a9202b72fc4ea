"""The table: which fault was tried how often, and what came of it."""

import threading

KINDS = ("lost", "doubled", "hung", "untold", "unclear")


class Table:
    def __init__(self):
        self.rows, self.troubles, self.lock = {}, [], threading.Lock()
        self.recorded = set()

    def add(self, row):
        """A row that has to be tried."""
        with self.lock:
            self.rows.setdefault(row, dict.fromkeys(("tried", *KINDS), 0))

    def expect(self, row):
        """A row that was recorded, and may not be met again."""
        with self.lock:
            self.recorded.add(row)

    def tried(self, row, times=1):
        self.add(row)
        with self.lock:
            self.rows[row]["tried"] += times
            number = sum(cells["tried"] for cells in self.rows.values())
        if number % 500 == 0:
            print(f"{number} tried, {len(self.troubles)} in trouble", flush=True)

    def trouble(self, row, kind, words):
        self.add(row)
        with self.lock:
            self.rows[row][kind] += 1
            self.troubles.append(words)

    @property
    def kills(self):
        with self.lock:
            return sum(cells["tried"] for row, cells in self.rows.items()
                       if row.startswith("kill "))

    @property
    def isBad(self):
        return bool(self.troubles) or not self.rows or \
            any(cells["tried"] == 0 for cells in self.rows.values())

    def text(self):
        width = max(map(len, ("all", *self.rows)))
        lines = [f"{'fault':{width}}  tried  " + "  ".join(f"{kind:>7}" for kind in KINDS)]
        sums = dict.fromkeys(("tried", *KINDS), 0)
        for row, cells in self.rows.items():
            lines.append(self.line(row, cells, width) + ("" if cells["tried"] else "  NOT TRIED"))
            for name in sums:
                sums[name] += cells[name]
        lines.append(self.line("all", sums, width))
        if missed := sorted(self.recorded - set(self.rows)):
            lines.append(f"recorded once, and not met again: {', '.join(missed)}")
        return "\n".join(lines)

    @staticmethod
    def line(row, cells, width):
        return f"{row:{width}}  {cells['tried']:5}  " + "  ".join(
            f"{cells[kind]:7}" for kind in KINDS)
