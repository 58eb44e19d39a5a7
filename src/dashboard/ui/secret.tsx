import { useState, type ReactNode } from 'react'
import { Button } from './controls/button.tsx'
import { Icon } from './icon.tsx'
import { toast } from './feedback/toasts.ts'

/** A secret, masked until it is revealed, with a button that copies it. */
export function Secret({ label, value }: { label: string; value: string }) {
  const [shown, setShown] = useState(false)
  const copy = () =>
    navigator.clipboard.writeText(value).then(
      () => toast(`${label} copied.`),
      () => {
        setShown(true)
        toast('The browser blocked copying. Select the text and copy it.', { tone: 'failed' })
      },
    )
  return (
    <div className="flex flex-wrap items-center gap-2 rounded-md border border-line-strong bg-sunken px-3 py-2">
      <code aria-label={label} className="min-w-0 flex-1 wrap-anywhere select-all">
        {shown ? value : `${value.slice(0, 4)}${'•'.repeat(24)}`}
      </code>
      <Button onClick={() => setShown(!shown)}>{shown ? 'Hide' : 'Show'}</Button>
      <Button onClick={() => void copy()}>
        <Icon name="copy" /> Copy
      </Button>
    </div>
  )
}

type NewSecretProps = { label: string; value: string; onDone: () => void; children: ReactNode }

/** A secret that is shown only once; `children` say what it is for. */
export function NewSecret({ label, value, onDone, children }: NewSecretProps) {
  return (
    <div className="flex flex-col gap-4">
      <p>{children}</p>
      <Secret label={label} value={value} />
      <div className="flex justify-end">
        <Button look="primary" onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  )
}
