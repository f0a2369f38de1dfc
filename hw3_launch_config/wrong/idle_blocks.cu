// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=idle-blocks task=hw3.2
// Always as many blocks as the GPU holds, even for one element.
cudaError_t choose_launch(const struct gpu *gpu, size_t, struct launch *launch)
{
    *launch = {gpu->sms * (gpu->threads_per_sm / 256), 256};
    return cudaSuccess;
}
