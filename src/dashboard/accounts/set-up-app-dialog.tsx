import { useState } from 'react'
import { encode } from 'uqr'
import type { NewSecondFactor } from '../../contract/accounts/second-factor.ts'
import { useFinishSecondFactor } from '../queries/credentials.ts'
import { Dialog } from '../ui/controls/dialog.tsx'
import { TextField } from '../ui/controls/field.tsx'
import { Form, FormActions } from '../ui/controls/form.tsx'
import { CopyButton } from '../ui/feedback/copy-button.tsx'
import { toast } from '../ui/feedback/toasts.ts'
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx'

/** Shows a secret for an authenticator app, and asks for a code of it; then shows the recovery codes. */
export function SetUpAppDialog({ factor, onClose }: { factor: NewSecondFactor; onClose: () => void }) {
  const [code, setCode] = useState('')
  const finish = useFinishSecondFactor()
  if (finish.data) return <RecoveryCodesDialog codes={finish.data.recovery_codes} onClose={onClose} />
  const turnOn = () => finish.mutate(code, { onSuccess: () => toast('Two-step sign-in is on.') })
  return (
    <Dialog title="Set up an authenticator app" onClose={onClose}>
      <Form onSubmit={turnOn}>
        <p className="text-ink-2">
          Scan this code with an authenticator app, or with a password manager that shows one-time codes.
        </p>
        <QrCode text={factor.url} />
        <div className="flex flex-wrap items-center gap-x-2">
          <span className="text-ink-2">Or enter this key there:</span>
          <span className="inline-flex min-w-0 items-center gap-1">
            <code aria-label="Key" className="min-w-0 wrap-anywhere select-all">
              {factor.secret.replaceAll(/.{4}(?=.)/g, '$& ')}
            </code>
            <CopyButton name="key" text={factor.secret} />
          </span>
        </div>
        <TextField
          label="Code"
          autoComplete="one-time-code"
          inputMode="numeric"
          required
          spellCheck={false}
          maxLength={12}
          hint="The six digits that the app shows now."
          value={code}
          onChange={(event) => setCode(event.target.value)}
          error={finish.error?.message}
        />
        <FormActions onCancel={onClose} busy={finish.isPending}>
          Turn on
        </FormActions>
      </Form>
    </Dialog>
  )
}

/** Draws a text as a QR code, dark on white in every theme, as cameras expect. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: 2 })
  const modules = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
  return (
    <svg
      role="img"
      aria-label="QR code for an authenticator app"
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="mx-auto size-48"
    >
      <rect width={size} height={size} fill="white" />
      <path d={modules.join('')} fill="black" />
    </svg>
  )
}
