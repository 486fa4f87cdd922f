"""hlocc_library: models as libraries for C and C++, in the manner of tf_library.

    load("@hlocc//:hlocc.bzl", "hlocc_library")

    hlocc_library(
        name = "kws",
        model = "kws.pb",
        targets = ["cortex-m4f", "rv32imc", "host"],
        cpp_class = "acme::Kws",
    )

Each pair of a model and a target is one action, whose inputs are the model, the files in `data` and the tool: it runs in
a sandbox or on another machine, and `bazel build :all` is the matrix. docs/matrix.md describes the labels.
"""

def _stem(cpp_class):
    """How hlocc calls the files of a class: acme::KwsInt8 gives kws_int8."""
    name = cpp_class.split("::")[-1]
    out = ""
    for i in range(len(name)):
        begins = i > 0 and name[i].isupper() and name[i - 1] != "_" and (
            not name[i - 1].isupper() or (i + 1 < len(name) and name[i + 1].islower())
        )
        out += ("_" if begins else "") + name[i].lower()
    return out

def _hlocc_compile_impl(ctx):
    outputs = [
        ctx.actions.declare_file(ctx.label.name + "/" + name)
        for name in [ctx.attr.library, ctx.attr.stem + ".h", ctx.attr.stem + ".json"]
    ]
    arguments = ctx.actions.args()
    arguments.add("compile")
    arguments.add(ctx.file.model)
    arguments.add("--target", ctx.attr.target)
    arguments.add("--name", ctx.attr.cpp_class)
    arguments.add("-o", outputs[0].dirname)
    arguments.add("-q")
    arguments.add_all([ctx.expand_location(flag, ctx.attr.data) for flag in ctx.attr.flags])
    ctx.actions.run(
        executable = ctx.executable.tool,
        arguments = [arguments],
        inputs = [ctx.file.model] + ctx.files.data,
        outputs = outputs,
        mnemonic = "HloccCompile",
        progress_message = "Compiling %s for %s" % (ctx.file.model.short_path, ctx.attr.target),
    )
    return [
        DefaultInfo(files = depset(outputs)),
        OutputGroupInfo(
            library = depset([outputs[0]]),
            header = depset([outputs[1]]),
            manifest = depset([outputs[2]]),
        ),
    ]

_hlocc_compile = rule(
    implementation = _hlocc_compile_impl,
    attrs = {
        "cpp_class": attr.string(mandatory = True),
        "data": attr.label_list(allow_files = True),
        "flags": attr.string_list(),
        "library": attr.string(mandatory = True),
        "model": attr.label(allow_single_file = True, mandatory = True),
        "stem": attr.string(mandatory = True),
        "target": attr.string(mandatory = True),
        "tool": attr.label(executable = True, allow_single_file = True, cfg = "exec", mandatory = True),
    },
)

def hlocc_library(
        name,
        model,
        targets,
        cpp_class = None,
        flags = [],
        data = [],
        tool = "@hlocc_tool//:hlocc",
        **kwargs):
    """One model, compiled for each of its targets.

    Args:
      name: a cc_library of the target that --@hlocc//:target names, or of the first one. NAME_TARGET is a cc_library of
        TARGET, NAME_TARGET_files its library, header and manifest, NAME_all those of all targets.
      model: any file that `hlocc compile` reads.
      targets: presets, chips or triples, as for `hlocc compile --target`.
      cpp_class: as for --name; by default `name` as a class is called: Kws. The header is called after it:
        "acme::KwsInt8" gives kws_int8.h.
      flags: further flags of `hlocc compile`; $(location LABEL) stands for a file in `data`.
      data: files that flags name, say for --freeze.
      tool: the executable.
      **kwargs: for all of these rules: visibility, tags, testonly.
    """
    if not targets:
        fail("hlocc_library(name = %r): targets is empty" % name)
    cpp_class = cpp_class or "".join([word[:1].upper() + word[1:] for word in name.replace("-", "_").split("_")])
    stem = _stem(cpp_class)
    for target in targets:
        files = "%s_%s_files" % (name, target)
        _hlocc_compile(
            name = files,
            model = model,
            target = target,
            cpp_class = cpp_class,
            stem = stem,
            library = "lib%s.a" % stem,
            flags = flags,
            data = data,
            tool = tool,
            **kwargs
        )
        for group in ["library", "header"]:
            native.filegroup(name = "%s_%s" % (files, group), srcs = [files], output_group = group, **kwargs)
        native.cc_library(
            name = "%s_%s" % (name, target),
            srcs = [files + "_library"],
            hdrs = [files + "_header"],
            includes = [files],
            **kwargs
        )
        native.config_setting(
            name = "%s_%s_chosen" % (name, target),
            flag_values = {"@hlocc//:target": target},
        )
    chosen = {"%s_%s_chosen" % (name, target): "%s_%s" % (name, target) for target in targets}
    chosen["//conditions:default"] = "%s_%s" % (name, targets[0])
    native.alias(name = name, actual = select(chosen), **kwargs)
    native.filegroup(name = name + "_all", srcs = ["%s_%s_files" % (name, target) for target in targets], **kwargs)

def _target_flag_impl(_):
    return []

hlocc_target_flag = rule(
    implementation = _target_flag_impl,
    build_setting = config.string(flag = True),
)

def _hlocc_tool_impl(repository_ctx):
    path = repository_ctx.attr.path or repository_ctx.which("hlocc")
    if not path:
        fail("there is no hlocc in $PATH: name it with hlocc_tool(name = %r, path = ...)" % repository_ctx.name)
    repository_ctx.symlink(path, "hlocc")
    repository_ctx.file("BUILD.bazel", 'exports_files(["hlocc"])\n')

# hlocc_tool(name = "hlocc_tool", path = "/opt/hlocc/bin/hlocc") in WORKSPACE; without a path, the one in $PATH. Other
# machines are sent this file alone: give them the static one of hlocc's packages.
hlocc_tool = repository_rule(
    implementation = _hlocc_tool_impl,
    attrs = {"path": attr.string()},
    environ = ["PATH"],
)
