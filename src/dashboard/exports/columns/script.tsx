import { Button } from '../../ui/controls/button.tsx'
import { copyText } from '../../ui/feedback/toasts.ts'
import { Icon } from '../../ui/icon.tsx'

/** Statements of SQL, folded, with a button that copies them. */
export function Script({ title, text }: { title: string; text: string }) {
  return (
    <details>
      <summary className="w-fit rounded-sm font-medium">{title}</summary>
      <div className="mt-2 flex flex-col items-start gap-2">
        <pre
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- lets the arrow keys scroll it
          tabIndex={0}
          aria-label={title}
          className="max-h-80 w-full overflow-auto rounded-md border border-line bg-sunken p-3"
        >
          {text}
        </pre>
        <Button aria-label={`Copy: ${title}`} onClick={() => void copyText(text, 'Copied.')}>
          <Icon name="copy" /> Copy
        </Button>
      </div>
    </details>
  )
}
