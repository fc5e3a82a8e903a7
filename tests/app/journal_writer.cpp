// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/journal.h"
#include "tests/app/fake_engine.h"

#include <cstdio>
#include <unistd.h>

// journal_writer FOLDER: journals a run with one finished point, says so, and waits to be killed.
int main(int argc, char **argv)
{
    using namespace ridgepoint;
    if (argc != 2)
        return 2;
    const auto journal = Journal::create(argv[1], newSession());
    RunPlan plan = test::smallPlan();
    plan.runId = newId();
    journal->append(test::started(plan));
    journal->append(PointFinished{plan.runId, test::point(plan, 0, 1)});
    std::puts("ready");
    std::fflush(stdout);
    for (;;)
        pause();
}
