"""The tool for MODULE.bazel, which WORKSPACE names by itself; Bazel before 6 cannot read this file."""

load(":hlocc.bzl", "hlocc_tool")

def _tool_extension_impl(_):
    hlocc_tool(name = "hlocc_tool")

hlocc_tool_extension = module_extension(implementation = _tool_extension_impl)
