"""Proves layers.py and facts.py themselves: each rule, broken on purpose in a house of a few files,
is found."""
import pathlib
import tempfile
import unittest

import facts
import layers


class LayersTest(unittest.TestCase):
    def errors(self, **files):
        """The errors in a house of the given files: path with / as __ and .h left off ->
        content."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, content in files.items():
                path = root / "src" / (name.replace("__", "/") + ".h")
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(content, encoding="utf-8")
            return "\n".join(layers.check(layers.House(root), root))

    def test_down_is_allowed(self):
        self.assertEqual("", self.errors(hlo__a='#include "support/b.h"', support__b=""))

    def test_up_is_not(self):
        self.assertIn("point down", self.errors(support__a='#include "hlo/b.h"', hlo__b=""))

    def test_neighbours_do_not_see_each_other(self):
        self.assertIn("one floor", self.errors(ops__a='#include "kernel/b.h"', kernel__b=""))

    def test_backends_see_no_lowering(self):
        self.assertIn("must not see lowering",
                      self.errors(backends__c__a='#include "lowering/b.h"', lowering__b=""))

    def test_backends_see_no_operations(self):
        self.assertIn("HLO operations",
                      self.errors(backends__c__a='#include "hlo/opcode.h"', hlo__opcode=""))

    def test_backends_are_apart(self):
        self.assertIn("backend c", self.errors(backends__c__a='#include "backends/cpu/b.h"',
                                               backends__cpu__b=""))
        self.assertEqual("", self.errors(backends__cpu__a='#include "backends/llvm/b.h"',
                                         backends__llvm__b='#include "llvm/IR/Module.h"'))
        self.assertEqual(
            "", self.errors(backends__c__a='#include "backends/common/b.h"',
                            backends__common__b=""))
        self.assertIn(
            "backend common",
            self.errors(backends__common__a='#include "backends/c/b.h"', backends__c__b=""))

    def test_llvm_is_confined(self):
        self.assertIn("LLVM", self.errors(driver__a="#include <llvm/IR/Module.h>"))
        self.assertIn("LLVM", self.errors(backends__c__a='#include "llvm/IR/Module.h"'))

    def test_circles(self):
        self.assertIn("circle", self.errors(hlo__a='#include "hlo/b.h"', hlo__b='#include "a.h"'))

    def test_every_room_stands_on_a_floor(self):
        self.assertIn("no floor", self.errors(attic__a=""))


class FactsTest(unittest.TestCase):
    def asks(self, code, name="lowering/a.cpp"):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            path = root / "src" / name
            path.parent.mkdir(parents=True)
            path.write_text(code, encoding="utf-8")
            return bool(facts.questions(root))

    def test_texts_are_not_asked(self):
        for code in ('llvm::Triple(target.triple).isX86()', 'if (target.cpu == "cortex-m4")',
                     'target.features.find("+avx") != npos', 'target.triple.starts_with("thumb")',
                     "for (auto f : split(target.features, ','))", 'return "x" != target.cpu;'):
            self.assertTrue(self.asks(code), code)

    def test_texts_may_be_handed_on(self):
        for code in ('out["triple"] = target.triple;', 'if (target.has(Isa::kMve))',
                     '// target.cpu == "cortex-m4"', 'make(target.triple, target.cpu);'):
            self.assertFalse(self.asks(code), code)

    def test_who_makes_rows_asks(self):
        self.assertFalse(self.asks('row.triple.starts_with("x86")', "driver/pipeline/targets.cpp"))


if __name__ == "__main__":
    unittest.main()
