"""What follows the layers of a detector."""
import numpy
from cases_signal import custom


def detection(graph, random, boxes, classes, background, most, **more):
    encodings = graph.input("f32", (1, boxes, 4))
    scores = graph.input("f32", (1, boxes, classes + background))
    anchors = graph.constant("f32", random.uniform(0.3, 0.7, (boxes, 4)))
    results = [graph.tensor("f32", shape) for shape in ((1, most, 4), (1, most), (1, most), (1,))]
    options = dict(max_detections=most,
                   max_classes_per_detection=1,
                   num_classes=classes,
                   nms_score_threshold=0.3,
                   nms_iou_threshold=0.4,
                   y_scale=10.0,
                   x_scale=10.0,
                   h_scale=5.0,
                   w_scale=5.0)
    custom(graph, "TFLite_Detection_PostProcess", [encodings, scores, anchors], *results,
           **(options | more))
    graph.output(*results)
    return {0: (-3, 3), 1: (0, 1)}


def case_detection_regular(graph, random):
    return detection(graph, random, 20, 3, 1, 6, use_regular_nms=True, detections_per_class=5)


def case_detection_regular_few(graph, random):
    """More detections than candidates; scores that are equal."""
    return detection(graph, random, 4, 2, 0, 12, use_regular_nms=True,
                     detections_per_class=2) | {1: (0.5, 0.5)}


def case_detection_regular_default(graph, random):
    return detection(graph, random, 12, 2, 0, 8, use_regular_nms=True, nms_iou_threshold=1)


def case_detection_none(graph, random):
    return detection(graph, random, 6, 2, 0, 3, use_regular_nms=True) | {1: (0, 0.2)}


def case_detection_fast(graph, random):
    """All rows are taken: kernels leave the others as they were."""
    return detection(graph, random, 30, 4, 1, 3, nms_score_threshold=0.05)
