import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import type { NewSecondFactor, SecondFactor } from '../../contract/accounts/second-factor.ts'
import { useAccount } from '../account.ts'
import {
  secondFactorQuery,
  useBeginSecondFactor,
  useDeleteSecondFactor,
  useReplaceRecoveryCodes,
} from '../queries/credentials.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Button } from '../ui/controls/button.tsx'
import { DialogButton } from '../ui/controls/dialog-button.tsx'
import { ProblemNote } from '../ui/feedback/problem-note.tsx'
import { toast } from '../ui/feedback/toasts.ts'
import { lazyNamed } from '../ui/lazy-named.ts'
import { Section } from '../ui/section.tsx'
import { Status } from '../ui/status.tsx'
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx'
import { useCredentialsReason } from './use-credentials-reason.ts'

const SetUpAppDialog = lazyNamed(() => import('./set-up-app-dialog.tsx'), 'SetUpAppDialog')

/** Number of recovery codes from which on the user should get new ones. */
const fewCodes = 3

/** Whether a code completes sign-ins with the password, and its recovery codes. */
export function SecondFactorSection() {
  const { data: factor, error, refetch } = useQuery(secondFactorQuery)
  // The dialog stays when the second factor is on: it then shows the recovery codes.
  const [begun, setBegun] = useState<NewSecondFactor | null>(null)
  return (
    <Section title="Two-step sign-in" className="mb-8">
      <div className="flex max-w-160 flex-col items-start gap-3">
        {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
        {!factor && !error && <output className="appear-late text-ink-3">Loading…</output>}
        {factor && (factor.enabled ? <TurnedOn factor={factor} /> : <TurnedOff onBegun={setBegun} />)}
        <Suspense>{begun && <SetUpAppDialog factor={begun} onClose={() => setBegun(null)} />}</Suspense>
      </div>
    </Section>
  )
}

function TurnedOff({ onBegun }: { onBegun: (factor: NewSecondFactor) => void }) {
  const { user } = useAccount()
  const reason = useCredentialsReason()
  const begin = useBeginSecondFactor()
  const needsPassword = user.has_password
    ? null
    : 'A code completes sign-ins with a password: choose one first.'
  return (
    <>
      <p className="text-ink-2">
        After your password, you also enter a code from an app on your phone. Someone who learns your password
        then still cannot sign in. A passkey needs no code.
      </p>
      {begin.error && <ProblemNote error={begin.error} />}
      <Button
        reason={reason ?? needsPassword}
        busy={begin.isPending}
        onClick={() => begin.mutate(undefined, { onSuccess: onBegun })}
      >
        Set up two-step sign-in
      </Button>
    </>
  )
}

function TurnedOn({ factor: { recovery_codes: left } }: { factor: SecondFactor }) {
  const reason = useCredentialsReason()
  return (
    <>
      <p className="flex flex-wrap gap-x-3">
        <Status tone="ok">On</Status>
        <span className={left <= fewCodes ? 'text-short-ink' : 'text-ink-2'}>
          {left === 1 ? '1 recovery code is' : `${left} recovery codes are`} left
          {left <= fewCodes && ': get new ones before you need them'}.
        </span>
      </p>
      <div className="flex flex-wrap gap-2">
        <DialogButton label="New recovery codes" reason={reason}>
          {(onClose) => <ReplaceCodes onClose={onClose} />}
        </DialogButton>
        <DialogButton label="Turn off" look="quiet" reason={reason}>
          {(onClose) => <TurnOff onClose={onClose} />}
        </DialogButton>
      </div>
    </>
  )
}

function ReplaceCodes({ onClose }: { onClose: () => void }) {
  const replace = useReplaceRecoveryCodes()
  if (replace.data) return <RecoveryCodesDialog codes={replace.data.recovery_codes} onClose={onClose} />
  return (
    <ConfirmDialog
      title="Replace the recovery codes?"
      action="Replace"
      busy={replace.isPending}
      error={replace.error}
      onConfirm={() => replace.mutate()}
      onClose={onClose}
    >
      You get ten new codes. The ones that you have saved stop working.
    </ConfirmDialog>
  )
}

function TurnOff({ onClose }: { onClose: () => void }) {
  const turnOff = useDeleteSecondFactor()
  const confirm = () =>
    turnOff.mutate(undefined, {
      onSuccess: () => {
        toast('Two-step sign-in is off.')
        onClose()
      },
    })
  return (
    <ConfirmDialog
      title="Turn off two-step sign-in?"
      action="Turn off"
      busy={turnOff.isPending}
      error={turnOff.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      Your password alone then signs you in. The key in your app and the recovery codes stop working.
    </ConfirmDialog>
  )
}
