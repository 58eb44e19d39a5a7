import { Link } from '@tanstack/react-router'
import { repairPlanCan, type RepairPlan, type RepairStep } from '../../../contract/repair/repair-plan.ts'
import { useAccount } from '../../account.ts'
import { useIncludeSteps } from '../../queries/exports/repair-plans.ts'
import { downloadLedger } from '../../queries/exports/ledger.ts'
import { Progress } from '../../ui/feedback/progress.tsx'
import { toastFailure } from '../../ui/feedback/toasts.ts'
import { Table, type Column } from '../../ui/list/data-table.tsx'
import { Status } from '../../ui/status.tsx'
import { WindowTime } from '../../ui/time.tsx'
import { count, counted } from '../../format/amount.ts'
import { duration } from '../../format/time.ts'
import { causesInWords, estimateInWords, stepWords } from './repair-words.ts'
import { DownloadButton } from '../../ui/download-button.tsx'

type Step = RepairStep & { plan: Pick<RepairPlan, 'id' | 'status'> }

type StepTableProps = { caption: string; plan: RepairPlan; steps: readonly RepairStep[] }

/** Steps of a plan; each can be left out and included again. */
export function StepTable({ caption, plan, steps }: StepTableProps) {
  const rows = steps.map((step) => ({ ...step, plan: { id: plan.id, status: plan.status } }))
  return <Table caption={caption} columns={columns} rows={rows} rowKey={({ number }) => String(number)} />
}

const unknown = <span className="text-ink-3">unknown</span>

const columns: readonly Column<Step>[] = [
  { header: 'Included', silent: true, cell: (step) => <Included step={step} /> },
  {
    header: 'Export',
    fills: true,
    cell: (step) => (
      <>
        <Link
          to="/exports/$id"
          params={{ id: step.batch_export }}
          className="font-medium wrap-anywhere hover:underline"
        >
          {step.batch_export_name}
        </Link>
        <span className="block text-xs text-ink-3">
          <WindowTime start={step.start} end={step.end} />
          {step.batch_export_paused && ' · stays paused'}
        </span>
        <span className="block text-xs text-ink-3 md:hidden">
          <span className="sm:hidden">{causesInWords(step.causes)}. </span>
          {estimateInWords(step)}
        </span>
        {step.will_fail !== null && (
          <span className="block text-xs wrap-anywhere text-fail-ink">
            Will fail: destination unchanged.{' '}
            <Link
              to="/exports/$id/edit"
              params={{ id: step.batch_export }}
              hash="where"
              className="underline"
            >
              Fix destination
            </Link>
            <br />
            {step.will_fail}
          </span>
        )}
        {step.problem !== null && (
          <span className="block text-xs wrap-anywhere text-fail-ink">{step.problem}</span>
        )}
      </>
    ),
  },
  {
    header: 'Windows',
    hiddenBelow: 'sm',
    cell: ({ windows, causes }) => (
      // As wide as its usual texts, so that the columns of both tables of a plan are below each other.
      <span className="block min-w-32">
        {counted(windows, 'window')}
        <span className="block text-xs text-ink-3">{causesInWords(causes)}</span>
      </span>
    ),
  },
  {
    header: 'Rows, estimated',
    end: true,
    hiddenBelow: 'md',
    cell: ({ rows_expected: rows }) => (rows === null ? unknown : count(rows)),
  },
  {
    header: 'Time, estimated',
    end: true,
    hiddenBelow: 'md',
    cell: ({ seconds_expected: seconds }) => (seconds === null ? unknown : duration(seconds * 1000)),
  },
  { header: 'State', cell: (step) => <StepState step={step} /> },
]

function Included({ step }: { step: Step }) {
  const { projectId, scopes } = useAccount()
  const include = useIncludeSteps({ projectId, id: step.plan.id })
  const included = include.isPending ? include.variables.included : step.state !== 'left_out'
  const isOpen = step.state === 'planned' || step.state === 'left_out'
  const reason = repairPlanCan.change(step.plan, scopes) ?? (isOpen ? null : 'The step has already run.')
  return (
    <input
      type="checkbox"
      aria-label={`Repair ${step.batch_export_name}, step ${step.number + 1}`}
      title={reason ?? undefined}
      aria-disabled={reason !== null}
      checked={included}
      onChange={() => {
        if (reason !== null) return
        include.mutate(
          { steps: [step.number], included: !included },
          { onError: toastFailure('The step could not be changed.') },
        )
      }}
    />
  )
}

function StepState({ step }: { step: Step }) {
  const { state, sent, finished, proven, batch_export_name } = step
  const { label, tone } = stepWords[state]
  return (
    <span className="flex min-w-18 flex-col items-start gap-1 py-1">
      <Status tone={tone}>{label}</Status>
      {state === 'running' && (
        <Progress
          share={sent === 0 ? null : finished / sent}
          label={`Windows of ${batch_export_name} exported`}
        />
      )}
      {proven > 0 && <Receipt step={step} />}
    </span>
  )
}

/** Saves the signed receipt of the step's windows. */
function Receipt({ step }: { step: Step }) {
  const { projectId } = useAccount()
  const period = { start: Date.parse(step.start), end: Date.parse(step.end) }
  const file = `${step.batch_export_name.replaceAll(/[^\p{L}\p{N}]+/gu, '-')}-receipt.json`
  return (
    <DownloadButton
      failed="The receipt could not be downloaded."
      download={() => downloadLedger({ projectId, id: step.batch_export }, period, 'receipt', file)}
    >
      Receipt
    </DownloadButton>
  )
}
