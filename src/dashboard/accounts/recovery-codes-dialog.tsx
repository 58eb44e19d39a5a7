import { Button } from '../ui/controls/button.tsx'
import { Dialog } from '../ui/controls/dialog.tsx'
import { copyText } from '../ui/feedback/toasts.ts'
import { Icon } from '../ui/icon.tsx'
import { saveFile } from '../ui/save-file.ts'

/** Shows new recovery codes, which the service never shows again. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const text = `Recovery codes for Spool at ${location.host}. Each works once.\n\n${codes.join('\n')}\n`
  return (
    <Dialog title="Save your recovery codes" persistent onClose={onClose}>
      <div className="flex flex-col gap-4">
        <p className="text-ink-2">
          If you lose the device with your authenticator app, one of these codes signs you in, once, after
          your password. Keep them apart from the device: they are shown only now.
        </p>
        <ul
          aria-label="Recovery codes"
          className="mono grid grid-cols-2 gap-x-6 gap-y-1 rounded-md border border-line-strong bg-sunken px-3 py-2 max-sm:grid-cols-1"
        >
          {codes.map((code) => (
            <li key={code} className="select-all">
              {code}
            </li>
          ))}
        </ul>
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={() => void copyText(codes.join('\n'), 'Recovery codes copied.')}>
            <Icon name="copy" /> Copy
          </Button>
          <Button
            onClick={() => saveFile('spool-recovery-codes.txt', new Blob([text], { type: 'text/plain' }))}
          >
            Download
          </Button>
          <Button look="primary" onClick={onClose}>
            I have saved them
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
