"""solver.py TEST_PLANNING FOLDER: what planning calls optimal, beside a solver of integer programs.

The test binary writes 200 drawn programs and 200 drawn packing problems with what planning makes of
them. OR-tools' CP-SAT then looks for an order of the steps and offsets together, or for offsets,
that take less: none may be below the bound, and none better than a plan or a packing that is called
optimal. Exit status 1 if one is; the last line says how many were proved, and how often the solver
found less than a plan that was not."""
import json
import os
import pathlib
import subprocess
import sys

from ortools.sat.python import cp_model

SECONDS = 20  # a problem; what was found until then counts


def solved(model, top, floor):
    """The least top that was found, and whether it is the least there is."""
    model.add(top >= floor)
    model.minimize(top)
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = SECONDS
    solver.parameters.num_workers = 2
    status = solver.solve(model)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None, False
    return round(solver.objective_value), status == cp_model.OPTIMAL


class ProgramModel:
    """Order and offsets of a program, in words of four bytes. Step p runs at the ticks 2p, while it
    reads and writes, and 2p + 1, when it is done."""

    def __init__(self, program):
        self.program = program
        self.model = cp_model.CpModel()
        self.steps = program["steps"]
        # Scratch of a step is a value that it alone writes.
        for step in self.steps:
            if step["scratch"] > 0:
                step["writes"].append(len(program["bytes"]))
                program["bytes"].append(step["scratch"])
        self.size = [size // 4 for size in program["bytes"]]
        self.most = sum(self.size)
        count = len(self.steps)
        self.at = [self.model.new_int_var(0, count - 1, f"at{s}") for s in range(count)]
        self.model.add_all_different(self.at)
        self.maker = {v: s for s, step in enumerate(self.steps) for v in step["writes"]}
        self.readers = {}
        for s, step in enumerate(self.steps):
            for v in step["reads"]:
                self.readers.setdefault(v, []).append(s)
                if v in self.maker:
                    self.model.add(self.at[self.maker[v]] < self.at[s])
        self.values = [v for v in range(len(self.size))
                       if v in self.maker or v in program["arguments"]]
        self.offset = {v: self.model.new_int_var(0, self.most - self.size[v], f"o{v}")
                       for v in self.values}
        self.top = self.model.new_int_var(0, self.most, "top")
        for v in self.values:
            self.model.add(self.offset[v] + self.size[v] <= self.top)
        self.root = {v: v for v in self.values}
        for step in self.steps:
            if "copy" in step:
                self.root[step["copy"][1]] = self.root[step["copy"][0]]
        self.lives = {v: self.life(v, 2 * count + 2) for v in self.values}
        for i, u in enumerate(self.values):
            for v in self.values[:i]:
                self.keep_apart(u, v)

    def life(self, v, end):
        """Its first tick, and the one behind its last."""
        model = self.model
        birth = 2 * self.at[self.maker[v]] if v in self.maker else 0
        if v in self.program["results"]:
            return birth, end
        ends = [birth + 2 if v in self.maker else 1]
        ends += [2 * self.at[s] + 1 for s in self.readers.get(v, [])]
        death = model.new_int_var(0, end, f"d{v}")
        model.add_max_equality(death, ends)
        return birth, death

    def either(self, *ways):
        """One of some ways, each a list of what must then hold."""
        choices = []
        for way in ways:
            choice = self.model.new_bool_var("")
            for holds in way:
                self.model.add(holds).only_enforce_if(choice)
            choices.append(choice)
        self.model.add_bool_or(choices)

    def keep_apart(self, u, v):
        (u_birth, u_death), (v_birth, v_death) = self.lives[u], self.lives[v]
        ways = [[u_death <= v_birth], [v_death <= u_birth],
                [self.offset[u] + self.size[u] <= self.offset[v]],
                [self.offset[v] + self.size[v] <= self.offset[u]]]
        if self.root[u] == self.root[v]:
            ways.append([self.offset[u] == self.offset[v]])
        for operand, result in ((u, v), (v, u)):
            if result not in self.maker:
                continue
            step = self.maker[result]
            dies = self.lives[operand][1] <= 2 * self.at[step] + 1
            for a, b, ahead, exact in self.steps[step]["shared"]:
                if (a, b) != (operand, result):
                    continue
                if exact:
                    ways.append([dies, self.offset[result] == self.offset[operand]])
                else:
                    ways.append([dies,
                                 self.offset[result] + ahead // 4 <= self.offset[operand]])
        self.either(*ways)

    def least(self):
        least, is_least = solved(self.model, self.top, 0)
        return (None if least is None else 4 * least), is_least


def least_packing(problem):
    """Offsets alone."""
    model = cp_model.CpModel()
    items = problem["items"]
    most = problem["packed"]
    base, top = [], model.new_int_var(0, most, "top")
    for i, item in enumerate(items):
        unit = model.new_int_var(0, most, f"u{i}")
        base.append(model.new_int_var(0, 2 * most, f"b{i}"))
        model.add(base[-1] == unit * item["alignment"])
        for part in item["parts"]:
            model.add(base[i] + part["offset"] >= 0)
            model.add(base[i] + part["offset"] + part["bytes"] <= top)
    for i, one in enumerate(items):
        for j, other in enumerate(items[:i]):
            for a in one["parts"]:
                for b in other["parts"]:
                    if not any(s[0] < t[1] and t[0] < s[1] for s in a["times"]
                               for t in b["times"]):
                        continue
                    below = model.new_bool_var("")
                    low, high = base[i] + a["offset"], base[j] + b["offset"]
                    model.add(low + a["bytes"] <= high).only_enforce_if(below)
                    model.add(high + b["bytes"] <= low).only_enforce_if(below.negated())
    return solved(model, top, 0)


def main():
    test, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "solver.jsonl"
    subprocess.run([test, "drawn programs and items for a solver"], check=True,
                   env={**os.environ, "HLOCC_SOLVER_FILE": str(file.resolve())},
                   stdout=subprocess.DEVNULL)
    wrong, counts = 0, {"programs": 0, "packings": 0}
    proved, ended, better = dict(counts), dict(counts), dict(counts)
    for line in file.read_text().splitlines():
        one = json.loads(line)
        kind = "programs" if "program" in one else "packings"
        problem = next(iter(one.values()))
        if kind == "programs":
            least, is_least = ProgramModel(problem).least()
            ours, bound = problem["arena"], problem["bound"]
            optimal = ours == bound
        else:
            least, is_least = least_packing(problem)
            ours, bound, optimal = problem["packed"], problem["bound"], problem["optimal"]
        counts[kind] += 1
        proved[kind] += optimal
        ended[kind] += is_least
        if least is None:
            continue
        better[kind] += least < ours
        if least < bound or optimal and least < ours:
            wrong += 1
            print(f"{kind} of seed {problem['seed']}: the solver found {least} bytes, planning "
                  f"{ours}, with a bound of {bound}{', called optimal' if optimal else ''}")
    for kind, count in counts.items():
        print(f"{count} {kind}: {proved[kind]} called optimal, {ended[kind]} solved to the end, "
              f"{better[kind]} better by the solver")
    print("none is better where planning says optimal" if wrong == 0 else f"{wrong} wrong")
    return 1 if wrong or min(counts.values()) < 200 else 0


if __name__ == "__main__":
    sys.exit(main())
