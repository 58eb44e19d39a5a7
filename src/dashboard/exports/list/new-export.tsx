import { ButtonLink } from '../../ui/controls/button-link.tsx'
import { Icon } from '../../ui/icon.tsx'
import { KeyHint } from '../../ui/key-hint.tsx'

type Reasoned = { look?: 'primary' | 'plain'; reason: string | null }

export function NewExport({ look = 'primary', reason }: Reasoned) {
  return (
    <ButtonLink to="/exports/new" look={look} reason={reason}>
      <Icon name="plus" /> New export <KeyHint of="n" />
    </ButtonLink>
  )
}
