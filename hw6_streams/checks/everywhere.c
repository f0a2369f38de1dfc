/* hw6.5: all devices, each a part. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "checks.h"
#include "grader/room.h"

enum { DEVICE_ROUNDS = 3 };

static const size_t everywhere_sizes[] = {100002, 100003, 1, 2, 0, 1000003};

struct everywhere_call {
    int devices, home, current; /* current: when the function returned */
    cudaStream_t reader;        /* on home; waits for nobody */
    uint32_t *at_return;
};

static cudaError_t call_everywhere(
    struct trial *t, const struct array *in, const struct array *out, struct everywhere_call *c)
{
    everywhere_function stir = (everywhere_function)trial_function(t);
    const cudaError_t status = stir(in->device, out->device, in->count, DEVICE_ROUNDS);

    ledger_pause();
    cudaGetDevice(&c->current);
    cudaSetDevice(c->home);
    if (status == cudaSuccess) {
        cudaMemcpyAsync(c->at_return, out->device, out->count * ELEMENT_BYTES,
            cudaMemcpyDeviceToHost, c->reader);
        cudaStreamSynchronize(c->reader);
    }
    ledger_go_on();
    return status;
}

/* May kernels and copies of `device` reach the memory of `peer` directly, though they could? */
static bool peer_left_out(int device, int peer)
{
    int can = 0;

    if (cudaDeviceCanAccessPeer(&can, device, peer) != cudaSuccess || !can)
        return false;
    cudaSetDevice(device);
    const bool left_out = cudaDeviceEnablePeerAccess(peer, 0) == cudaSuccess;
    if (left_out)
        cudaDeviceDisablePeerAccess(peer);
    cudaGetLastError();
    return left_out;
}

static void expect_devices(struct trial *t, const struct everywhere_call *c, size_t n)
{
    const struct ledger *made = trial_ledger(t);

    if (c->current != c->home)
        trial_fail(t, WRONG_ANSWER, "device-not-restored",
            "device %d was current before the call, and device %d after it", c->home, c->current);
    for (int d = 0; d < c->devices && d < LEDGER_DEVICES && n >= (size_t)c->devices; d++) {
        if (made->launches_on[d] == 0)
            trial_fail(t, WRONG_ANSWER, "device-idle",
                "kernels launched: %zu, and none of them on device %d of %d", made->launches, d,
                c->devices);
        if (d != c->home && (peer_left_out(d, c->home) || peer_left_out(c->home, d)))
            trial_fail(t, WRONG_ANSWER, "peer-not-enabled",
                "devices %d and %d could reach each other's memory, but access was not enabled", d,
                c->home);
    }
    cudaSetDevice(c->home);
}

static void try_everywhere(struct trial *t, struct everywhere_call *c, size_t n)
{
    struct array *in = trial_input(t, "in", UINT32, n);
    struct array *out = trial_output(t, "out", UINT32, n);

    c->at_return = room_for(n, ELEMENT_BYTES);
    fill_words(in->words, n, trial_seed(t));
    if (done(t, cudaStreamCreateWithFlags(&c->reader, cudaStreamNonBlocking), "made a stream") &&
        TRIAL_CALL(t, call_everywhere(t, in, out, c))) {
        double *want = stirred_words(in->words, n, DEVICE_ROUNDS);
        double *cut = stirred_words(in->words, n, DEVICE_ROUNDS);
        const size_t shared = n / (size_t)c->devices * (size_t)c->devices;
        for (size_t i = shared; i < n; i++)
            cut[i] = NAN;
        const struct suspect suspects[] = {
            {shared < n ? "remainder-dropped" : NULL, cut}, {NULL, NULL}};
        expect_devices(t, c, n);
        expect_at_return(t, c->at_return,
            &(struct expectation){
                .output = out, .want = want, .inputs = {in}, .suspects = suspects});
        free(want), free(cut);
    }
    if (c->reader)
        cudaStreamDestroy(c->reader);
    free(c->at_return);
}

/* Home is the first device, and then the last one: that of the caller, whichever it is. */
void check_everywhere(struct trial *t)
{
    const size_t tried = trial_try_size(t);
    int devices = 1;

    cudaGetDeviceCount(&devices);
    for (int home = 0; home<devices; home += devices> 1 ? devices - 1 : 1)
        for (size_t i = 0; i < (tried ? 1 : LENGTH(everywhere_sizes)); i++) {
            const size_t n = tried ? tried : everywhere_sizes[i];
            struct everywhere_call c = {.devices = devices, .home = home};
            if (!trial_begin(t, "devices%d-home%d-n%zu", devices, home, n))
                continue;
            cudaSetDevice(home);
            try_everywhere(t, &c, n);
            trial_end(t);
            cudaSetDevice(0);
        }
}
