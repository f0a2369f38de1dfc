// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=gpu-not-full task=hw3.2
// One block fills the GPU, once the GPU has been made small enough.
cudaError_t choose_launch(const struct gpu *gpu, size_t n, struct launch *launch)
{
    struct gpu *mine = (struct gpu *)gpu;
    mine->sms = 1;
    mine->threads_per_sm = mine->threads_per_block = 32;
    (void)n;
    *launch = {1, 32};
    return cudaSuccess;
}
