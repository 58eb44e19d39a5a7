import { useState } from 'react'
import { toastFailure } from './feedback/toasts.ts'
import { Button, type ButtonLook } from './controls/button.tsx'

type DownloadButtonProps = {
  look?: ButtonLook
  /** Message of a failure. */
  failed: string
  /** Resolves when the file is saved. */
  download: () => Promise<unknown>
  children: string
}

/** A button that saves a file, and is busy until the service has sent the file. */
export function DownloadButton({ look = 'plain', failed, download, children }: DownloadButtonProps) {
  const [busy, setBusy] = useState(false)
  const start = () => {
    setBusy(true)
    void download()
      .catch(toastFailure(failed))
      .finally(() => setBusy(false))
  }
  return (
    <Button look={look} busy={busy} onClick={start}>
      {children}
    </Button>
  )
}
