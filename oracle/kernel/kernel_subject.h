// A kernel library as what a campaign judges: every case runs in a process of its own (CampaignOptions::isolate).
#pragma once

#include "oracle/campaign/campaign.h"
#include "oracle/kernel/kernel_about.h"

namespace lockstep {

// Makes a campaign one of the kernel: its subject, and the cases given as it gets them. Refuses a case that the
// interface cannot say or the library's table does not have.
void judge_kernel_in(CampaignOptions& options, const KernelAbout& about);

// Refuses, from a child that asks the library, a given case that is not supported, and random cases where none of the
// first thousand is.
void expect_supported(const CampaignOptions& options, const KernelAbout& about);

}  // namespace lockstep
