import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import {
  repairPageSize,
  repairPlanCan,
  type RepairPlanDetails,
} from '../../../contract/repair/repair-plan.ts'
import { useAccount } from '../../account.ts'
import {
  repairPlanQuery,
  useIncludeSteps,
  useRunRepairPlan,
  useStopRepairPlan,
} from '../../queries/exports/repair-plans.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Progress } from '../../ui/feedback/progress.tsx'
import { toastFailure } from '../../ui/feedback/toasts.ts'
import { KeyHint } from '../../ui/key-hint.tsx'
import { ListSkeleton, ListProblem } from '../../ui/list/list-notes.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Status } from '../../ui/status.tsx'
import { ParentLink } from '../../ui/text-link.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { useKeys } from '../../ui/use-keys.ts'
import { counted } from '../../format/amount.ts'
import { planInWords, planStatusInWords, proofInWords } from './repair-words.ts'
import { Section } from '../../ui/section.tsx'
import { StepTable } from './step-table.tsx'

const loading = 'The plan is loading.'

const page = getRouteApi('/_app/repair')

/** A repair plan: its steps, what it will export, and what it has proven. */
export function PlanPage({ id }: { id: string }) {
  const { offset = 0 } = page.useSearch()
  const { projectId, scopes } = useAccount()
  const { data: plan, error, refetch } = useQuery(repairPlanQuery({ projectId, id }, offset))
  const run = useRunRepairPlan({ projectId, id })
  const stop = useStopRepairPlan({ projectId, id })
  const include = useIncludeSteps({ projectId, id })
  const isRunning = plan?.status === 'Running'
  const leftOut = (plan?.results ?? []).filter(
    ({ state, causes }) => state === 'left_out' && causes.skipped === 0,
  )
  const mayFail = leftOut.some(({ will_fail }) => will_fail !== null)
  // If all steps are expected to fail, one click runs those on this page anyway: the destination may have been fixed outside Spool.
  const isAnyway = plan?.windows === 0 && mayFail
  const numbers = leftOut.map(({ number }) => number)
  const anyway = `Run ${counted(numbers.length, 'step')} anyway`
  const runLabel = isAnyway ? anyway : plan?.status === 'Stopped' ? 'Resume' : 'Run'
  const does = isAnyway ? anyway : `${runLabel} the repair plan`
  const nothing = plan?.windows === 0 && !isAnyway ? planInWords(plan) : null
  const canRun = nothing ?? (plan ? repairPlanCan.run(plan, scopes) : loading)
  const canStop = plan ? repairPlanCan.stop(plan, scopes) : loading
  const start = () =>
    run.mutate(isAnyway ? numbers : [], { onError: toastFailure('The plan could not be run.') })
  const end = () => stop.mutate(undefined, { onError: toastFailure('The plan could not be stopped.') })
  useKeys({
    r: isRunning ? null : { does, reason: canRun, run: start },
    s: isRunning ? { does: 'Stop the repair plan', reason: canStop, run: end } : null,
  })
  const canInclude = plan && !isAnyway && leftOut.length > 0 && repairPlanCan.change(plan, scopes) === null
  const includeAll = () =>
    include.mutate(
      { steps: numbers, included: true },
      { onError: toastFailure('The steps could not be changed.') },
    )
  const state = plan && planStatusInWords(plan)
  return (
    <>
      <PageHeader
        title="Repair plan"
        parent={<ParentLink to="/problems">Problems</ParentLink>}
        aside={state && <Status tone={state.tone}>{state.label}</Status>}
      >
        {canInclude && (
          <Button busy={include.isPending} onClick={includeAll}>
            Include {counted(leftOut.length, 'step')} {mayFail ? 'that may fail again' : 'left out'}
          </Button>
        )}
        {isRunning ? (
          <Button reason={canStop} busy={stop.isPending} onClick={end}>
            Stop <KeyHint of="s" />
          </Button>
        ) : (
          <Button
            look={isAnyway || canRun !== null ? 'plain' : 'primary'}
            reason={canRun}
            busy={run.isPending}
            onClick={start}
          >
            {runLabel} <KeyHint of="r" />
          </Button>
        )}
      </PageHeader>
      {error && <ListProblem error={error} onRetry={() => void refetch()} />}
      {!plan && !error && <ListSkeleton />}
      {plan && <PlanDetails plan={plan} />}
    </>
  )
}

function PlanDetails({ plan }: { plan: RepairPlanDetails }) {
  const repairs = plan.results.filter(({ causes, windows }) => causes.skipped < windows)
  const skipped = plan.results.filter(({ causes, windows }) => causes.skipped === windows)
  const proof = proofInWords(plan)
  return (
    <>
      <p className="mt-2">{planInWords(plan)}</p>
      <p className="text-xs text-ink-3">
        Planned by {plan.by}, <RelativeTime time={plan.created_at} />. Anyone who may write exports can run,
        stop and resume it.
      </p>
      {proof !== null && (
        <div className="mt-3 flex flex-wrap items-center gap-x-3">
          <Progress
            share={plan.windows === 0 ? 1 : Math.min(1, plan.finished / plan.windows)}
            label="Windows exported"
          />
          <output>{proof}</output>
        </div>
      )}
      {repairs.length > 0 && (
        <Section title="Steps, newest windows first" className="mt-4">
          <StepTable caption="Steps, newest windows first" plan={plan} steps={repairs} />
        </Section>
      )}
      {skipped.length > 0 && (
        <Section
          title="Skipped by pauses"
          aside={`${counted(plan.skipped_by_pause, 'window')}; tick a step to fill it too`}
          className="mt-6"
        >
          <StepTable caption="Windows skipped by pauses" plan={plan} steps={skipped} />
        </Section>
      )}
      {plan.steps.total > repairPageSize && <StepPages isLast={plan.next === null} />}
    </>
  )
}

/** The buttons that show newer and older steps. */
function StepPages({ isLast }: { isLast: boolean }) {
  const { offset = 0 } = page.useSearch()
  const navigate = page.useNavigate()
  const move = (by: number) =>
    void navigate({ search: (now) => ({ ...now, offset: Math.max(0, offset + by) || undefined }) })
  return (
    <nav aria-label="Pages" className="mt-3 flex items-center justify-end gap-2">
      <Button
        reason={offset === 0 ? 'These are the newest steps.' : null}
        onClick={() => move(-repairPageSize)}
      >
        Newer
      </Button>
      <Button reason={isLast ? 'These are the oldest steps.' : null} onClick={() => move(repairPageSize)}>
        Older
      </Button>
    </nav>
  )
}
