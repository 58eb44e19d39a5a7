import { copyText } from './toasts.ts'
import { Icon } from '../icon.tsx'
import { Button } from '../controls/button.tsx'

/** Copies a text, which screen readers know as `name`. */
export function CopyButton({ name, text }: { name: string; text: string }) {
  const copy = () => void copyText(text, 'Copied.')
  return (
    <Button look="quiet" size="icon" aria-label={`Copy ${name}`} onClick={copy}>
      <Icon name="copy" size={14} />
    </Button>
  )
}
