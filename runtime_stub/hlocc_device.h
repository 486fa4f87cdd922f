/* The hooks by which a compiled model reaches an accelerator beside the processor that runs it.
 *
 * `hlocc compile MODEL --plugin FILE --target T` makes a library whose run calls these functions
 * for the parts of the model that the device computes. The library brings a weak definition of
 * each: those that begin or await work return HLOCC_DEVICE_ERROR_NONE, which run passes on; the
 * others do nothing. A firmware with a driver defines them, with exactly these types; open, close
 * and error_msg only if it has something to do there.
 *
 * The device's memory: a model needs <PREFIX>DEVICE_BYTES of it, aligned to <PREFIX>DEVICE_ALIGN
 * (its header has both). `offset` counts from the start of that piece; where it lies is the
 * driver's affair. Models, and instances of one model, may share a piece if they do not run at
 * once: `instance` is what run was given. Nothing in it outlives a run. What is to outlive one,
 * such as the device's own code, its weights and recorded commands that submit only replays, the
 * driver makes at open and keeps until close.
 *
 * Queues: what a queue (0, 1, ...) is given it does one after the other; different queues may
 * work at once, or be one. put, get and submit may return before the work is done, and whatever
 * they were given stays in place until hlocc_device_wait for the queue has returned. A driver
 * that does everything at once, and whose wait does nothing, is right.
 *
 * Errors: 0, or a code of the driver's own, positive and from 101 on, which ends init or run and
 * is what it returns; the model's error_msg asks the driver for its meaning. Work that is still in
 * queues then is the driver's to stop: run does not wait for it. */
#ifndef HLOCC_DEVICE_H_
#define HLOCC_DEVICE_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* There is no driver in this firmware. */
#define HLOCC_DEVICE_ERROR_NONE 100

/* What init ends with: makes the `count` parts of the model ready to run for `instance`. parts[i]
 * is the name of one, <prefix>part_0; data[i] are the bytes[i] bytes that the device's compiler put
 * into the library for it, aligned to 4 and there for good, or NULL and 0 where it made files.
 * device_bytes: the model's <PREFIX>DEVICE_BYTES. What is open for the instance already is closed
 * first: init is the way back after an error of the device's. After an error of open's nothing is
 * open. */
int32_t hlocc_device_open(void* instance, const char* const* parts, const void* const* data,
                          const size_t* bytes, int32_t count, size_t device_bytes);

/* What the model's close calls: gives back what open made for the instance, if anything is. */
void hlocc_device_close(void* instance);

/* The meaning of a code of the driver's, or NULL. */
const char* hlocc_device_error_msg(int32_t code);

/* Begins to copy `bytes` bytes of this memory to the device's. `memory` is 1: there is one
 * device. */
int32_t hlocc_device_put(void* instance, int32_t queue, int32_t memory, size_t offset,
                         const void* from, size_t bytes);

/* Begins to copy `bytes` bytes of the device's memory to this one. */
int32_t hlocc_device_get(void* instance, int32_t queue, int32_t memory, size_t offset, void* to,
                         size_t bytes);

/* Begins a part of the model: `part` is the name that open was given, and that its files have.
 * `offsets` has where each of its operands lies in the device's memory, then where each of its
 * results is to lie; the array itself is gone when the function returns. */
int32_t hlocc_device_submit(void* instance, int32_t queue, int32_t memory, const char* part,
                            const size_t* offsets, int32_t operands, int32_t results);

/* Returns when all that the queue was given is done. */
int32_t hlocc_device_wait(void* instance, int32_t queue);

/* Where the processor has a data cache that the device does not see. clean: the bytes go from
 * the cache to memory, before the device reads them. invalidate: the cache forgets the bytes,
 * before and after the device writes them; called before get and after wait. The first and the
 * last line of the cache may hold other bytes of run's as well: write them back before they are
 * forgotten, and let wait copy those of the ends, if run's writing to its other bytes could meet
 * the device's. */
void hlocc_device_clean(const void* from, size_t bytes);
void hlocc_device_invalidate(void* from, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif /* HLOCC_DEVICE_H_ */
