// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=last-of-equals task=hw7.4
// Takes the last of equal metrics.
cudaError_t name_limiter(const struct kernel_metrics *m, struct named_limiter *named)
{
    const double active = m->sm_active_elapsed / 100;
    const double all[METRICS] = {m->dram_elapsed, m->l2_elapsed, m->l1_elapsed,
        m->fp32_active * active, m->fp64_active * active, m->integer_active * active,
        m->tensor_active * active};
    int largest = 0;

    for (int k = 1; k < METRICS; k++)
        if (all[k] >= all[largest])
            largest = k;
    named->metric = (enum metric)largest;
    named->elapsed = all[largest];
    named->limiter = all[largest] < 60             ? LATENCY_BOUND
                     : named->metric < METRIC_FP32 ? MEMORY_BOUND
                                                   : COMPUTE_BOUND;
    return cudaSuccess;
}
