"""Models that are wrong in one thing, and what the diagnostic says of it: `bad_NAME(model)` changes
a sound model, and may give the bytes of the file, too."""
import numpy
from onnx import AttributeProto, TensorProto, helper, numpy_helper


def bad_no_graph(model):
    model.ClearField("graph")
    model.graph.SetInParent()
    return "graph.output is empty"


def bad_no_opset(model):
    del model.opset_import[:]
    return "opset_import is missing"


def bad_new_opset(model):
    model.opset_import[0].version = 99
    return "opset_import asks for opset 99"


def bad_opset_of_zero(model):
    model.opset_import[0].version = 0
    return "opset_import[0].version is 0"


def bad_op_type(model):
    model.graph.node[0].op_type = ""
    return "graph.node[0].op_type is missing"


def bad_unknown_op(model):
    model.graph.node[1].op_type = "Relux"
    return 'graph.node[1] (Relux "relu", opset 17): the operator is not read'


def bad_foreign_op(model):
    model.graph.node[1].domain = "com.acme"
    return 'graph.node[1] (Relu of com.acme "relu", opset 17): the operator is not read'


def bad_operand(model):
    model.graph.node[1].input[0] = "nothing"
    return 'graph.node[1] (Relu) reads input[0] "nothing", which nothing before it gives'


def bad_result(model):
    model.graph.node[1].output[0] = "t"
    return 'graph.node[1] (Relu) gives output[0] "t", which has a value already'


def bad_operands(model):
    model.graph.node[1].input.append("t")
    return 'graph.node[1] (Relu "relu", opset 17): has 2 operands, or lacks one'


def bad_results(model):
    model.graph.node[1].output.append("u")
    return 'graph.node[1] (Relu "relu", opset 17): has 2 results, not 1'


def bad_old_version(model):
    model.opset_import[0].version = 1
    return 'graph.node[1] (Relu "relu", opset 1): versions before opset 6 are not read'


def bad_attribute_type(model):
    model.graph.node[0].attribute[0].CopyFrom(helper.make_attribute("pads", 1))
    return "graph.node[0].attribute[0].type: attribute pads is of type 2, not 7"


def bad_attribute_name(model):
    model.graph.node[0].attribute[0].name = ""
    return "graph.node[0].attribute[0].name is missing"


def bad_attribute_unread(model):
    model.graph.node[1].attribute.append(helper.make_attribute("alpha", 1.0))
    return 'attribute "alpha" (graph.node[1].attribute[0]) is not read'


def bad_attribute_value(model):
    model.graph.node[0].attribute.append(AttributeProto(name="t", type=AttributeProto.TENSOR))
    return "graph.node[0].attribute[1] has no value of its type"


def bad_pads(model):
    model.graph.node[0].attribute[0].ints.append(1)
    return 'graph.node[0] (Conv "conv", opset 17): pads has 5 numbers for 4'


def bad_auto_pad(model):
    model.graph.node[0].attribute.append(helper.make_attribute("auto_pad", "MOST"))
    return 'graph.node[0] (Conv "conv", opset 17): auto_pad is MOST'


def bad_strides(model):
    model.graph.node[0].attribute.append(helper.make_attribute("strides", [0, 1]))
    return "a window of 3 with stride 0"


def bad_groups(model):
    model.graph.node[0].attribute.append(helper.make_attribute("group", 2))
    return 'graph.node[0] (Conv "conv", opset 17): 2 groups of 2 channels by weights f32[3,2,3,3]'


def bad_output(model):
    model.graph.output[0].name = "z"
    return 'graph.output[0] ("z") is given by nothing'


def bad_output_type(model):
    model.graph.output[0].type.tensor_type.elem_type = TensorProto.DOUBLE
    return 'graph.output[0] ("y") has elements of DOUBLE, where the model gives f32[1,3,4,4]'


def bad_output_shape(model):
    model.graph.output[0].type.tensor_type.shape.dim[1].dim_value = 7
    return 'graph.output[0] ("y") has another shape than what the model gives, f32[1,3,4,4]'


def bad_input_twice(model):
    model.graph.input.append(model.graph.input[0])
    return 'graph.input[1].name: "x" is an input already'


def bad_input_string(model):
    model.graph.input[0].type.tensor_type.elem_type = TensorProto.STRING
    return 'graph.input[0] ("x") has elements of STRING, which HLO lacks'


def bad_input_type_number(model):
    model.graph.input[0].type.tensor_type.elem_type = 99
    return 'graph.input[0] ("x") has elements of type 99, which HLO lacks'


def bad_input_sequence(model):
    model.graph.input[0].CopyFrom(
        helper.make_tensor_sequence_value_info("x", TensorProto.FLOAT, [1]))
    return 'graph.input[0] ("x") is a sequence, which HLO lacks'


def bad_input_optional(model):
    model.graph.input[0].CopyFrom(helper.make_value_info("x", helper.make_optional_type_proto(
        helper.make_tensor_type_proto(TensorProto.FLOAT, [1]))))
    return 'graph.input[0] ("x") is an optional value, which HLO lacks'


def bad_input_map(model):
    model.graph.input[0].CopyFrom(helper.make_value_info("x", helper.make_map_type_proto(
        TensorProto.INT64, helper.make_tensor_type_proto(TensorProto.FLOAT, [1]))))
    return 'graph.input[0] ("x") is a map, which HLO lacks'


def bad_input_without_shape(model):
    model.graph.input[0].CopyFrom(helper.make_tensor_value_info("x", TensorProto.FLOAT, None))
    return 'graph.input[0] ("x") has no shape'


def bad_open_dimension(model):
    model.graph.input[0].type.tensor_type.shape.dim[0].dim_param = "batch"
    return 'graph.input[0] ("x"): the size of dimension 0 (batch) is left open'


def bad_nameless_dimension(model):
    model.graph.input[0].type.tensor_type.shape.dim[0].Clear()
    return 'graph.input[0] ("x"): the size of dimension 0 (no name) is left open'


def bad_negative_size(model):
    model.graph.input[0].type.tensor_type.shape.dim[2].dim_value = -3
    return "graph.input[0].type.tensor_type.shape.dim[2].dim_value is -3"


def bad_great_size(model):
    for d in (2, 3):
        model.graph.input[0].type.tensor_type.shape.dim[d].dim_value = 1 << 30
    return 'graph.input[0] ("x") is larger than 2147483648 bytes'


def bad_tensor_bytes(model):
    model.graph.initializer[0].raw_data = model.graph.initializer[0].raw_data[:-1]
    return 'graph.initializer[0] (tensor "w") has 215 bytes for its shape f32[3,2,3,3]'


def bad_tensor_elements(model):
    model.graph.initializer[1].ClearField("raw_data")
    model.graph.initializer[1].float_data.extend([1, 2])
    return 'graph.initializer[1] (tensor "b") has 2 elements for its shape f32[3]'


def bad_tensor_type(model):
    model.graph.initializer[0].data_type = TensorProto.STRING
    return 'graph.initializer[0].data_type: tensor "w" has elements of STRING, which HLO lacks'


def bad_tensor_dims(model):
    model.graph.initializer[0].dims[0] = -1
    return 'graph.initializer[0].dims: tensor "w" has the negative size -1'


def bad_tensor_name(model):
    model.graph.initializer[0].name = ""
    return "graph.initializer[0].name is missing"


def bad_tensor_location(model):
    model.graph.initializer[0].data_location = 1
    model.graph.initializer[0].ClearField("raw_data")
    return "graph.initializer[0].external_data names no location"


def external(model, location, **more):
    tensor = model.graph.initializer[0]
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    for key, value in {"location": location, **more}.items():
        tensor.external_data.add(key=key, value=value)


def bad_external_parent(model):
    external(model, "../conv.values")
    return '(graph.initializer[0]): "../conv.values" leads out of the model\'s folder'


def bad_external_inner_parent(model):
    external(model, "a/../../conv.values")
    return '(graph.initializer[0]): "a/../../conv.values" leads out of the model\'s folder'


def bad_external_root(model):
    external(model, "/etc/passwd")
    return '(graph.initializer[0]): "/etc/passwd" is no path within the model\'s folder'


def bad_external_missing(model):
    external(model, "nothing.bin")
    return 'the data of tensor "w" (graph.initializer[0]): '


def bad_external_folder(model):
    external(model, ".")
    return '(graph.initializer[0]): "." is no regular file'


def bad_external_short(model):
    external(model, "errors.txt", offset="1000000")
    return '(graph.initializer[0]): "errors.txt" has '


def bad_external_offset(model):
    external(model, "errors.txt", offset="-1")
    return 'graph.initializer[0].external_data: offset is "-1"'


def bad_function_in_circles(model):
    model.opset_import.append(helper.make_opsetid("local", 1))
    node = helper.make_node("f", ["a"], ["b"], domain="local")
    model.functions.append(
        helper.make_function("local", "f", ["a"], ["b"], [node], [helper.make_opsetid("local", 1)]))
    model.graph.node[1].op_type, model.graph.node[1].domain = "f", "local"
    return "more than 16 functions, one inside another"


def bad_function_output(model):
    model.opset_import.append(helper.make_opsetid("local", 1))
    model.functions.append(
        helper.make_function("local", "f", ["a"], ["b"], [], [helper.make_opsetid("", 17)]))
    model.graph.node[1].op_type, model.graph.node[1].domain = "f", "local"
    return 'nothing gives the function\'s output "b"'


def bad_wire_type(model):
    content = bytearray(model.SerializeToString())
    at = content.index(b"Conv") - 2
    assert content[at] == 0x22
    content[at] = 0x21
    return bytes(content), "graph.node[0].op_type is no field of its type"


def bad_field_type(model):
    content = model.SerializeToString()
    at = content.index(b"Relu") - 2
    assert content[at] == 0x22
    return content[:at] + b"\x20" + content[at +
                                            1:], "graph.node[1].op_type is no field of its type"


def bad_packed_list(model):
    content = model.SerializeToString()
    at = content.index(b"\x40\x01\x40\x01\x40\x01\x40\x01")
    changed = content[:at] + b"\x42\x06\xff\xff\xff\xff\xff\xff" + content[at + 8:]
    return changed, "graph.node[0].attribute[0].ints is no field of its type"


def bad_deep_graphs(model):
    inner = helper.make_graph([helper.make_node("Relu", ["t"], ["r"])], "g", [],
                              [helper.make_tensor_value_info("r", TensorProto.FLOAT, None)])
    for _ in range(20):
        node = helper.make_node("If", ["c"], ["r"], then_branch=inner)
        inner = helper.make_graph([node], "g", [],
                                  [helper.make_tensor_value_info("r", TensorProto.FLOAT, None)])
    model.graph.node[1].CopyFrom(helper.make_node("If", ["c"], ["y"], then_branch=inner))
    return "lies in more than 16 graphs"


def bad_resize_without_scales(model):
    model.opset_import[0].version = 10
    model.graph.node[1].CopyFrom(
        helper.make_node("Resize", [model.graph.node[0].output[0]], [model.graph.output[0].name],
                         name="larger"))
    return "has no operand that gives the scales"


def bad_rotary_positions(model):
    tables = [numpy_helper.from_array(numpy.ones((5, 1), numpy.float32), name) for name in "cs"]
    model.graph.initializer.extend(
        tables + [numpy_helper.from_array(numpy.zeros(1, numpy.int64), "positions")])
    model.opset_import[0].version = 23
    del model.graph.input[0].type.tensor_type.shape.dim[:]
    for size in (1, 2, 3, 4):
        model.graph.input[0].type.tensor_type.shape.dim.add().dim_value = size
    model.graph.node.pop(0)
    model.graph.node[0].CopyFrom(
        helper.make_node("RotaryEmbedding", [model.graph.input[0].name, "c", "s", "positions"],
                         [model.graph.output[0].name]))
    return "tables of another number of dimensions"
