import { useState } from 'react'
import { PrivacySettings } from '../../contract/privacy/privacy-settings.ts'
import { Button } from '../ui/controls/button.tsx'
import { TextareaField } from '../ui/controls/field.tsx'
import { Form } from '../ui/controls/form.tsx'

export type ListName = 'masked_patterns' | 'masked_selectors' | 'blocked_selectors' | 'blocked_urls'

type ListFormProps = {
  name: ListName
  label: string
  hint: string
  saved: readonly string[]
  reason: string | null
  save: (lines: string[]) => Promise<unknown>
}

/** A list with one entry a line, saved by a button. */
export function ListForm({ name, label, hint, saved, reason, save }: ListFormProps) {
  const [text, setText] = useState(saved.join('\n'))
  const [refused, setRefused] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const lines = text.split('\n').flatMap((line) => line.trim() || [])
  const error = problemOf(name, lines) ?? refused
  const isChanged = lines.join('\n') !== saved.join('\n')
  const submit = async () => {
    if (error !== null) return
    setBusy(true)
    await save(lines)
      .catch((cause: unknown) => setRefused(cause instanceof Error ? cause.message : String(cause)))
      .finally(() => setBusy(false))
  }
  return (
    <Form className="flex flex-col gap-2" onSubmit={() => void submit()}>
      <TextareaField
        label={label}
        hint={hint}
        value={text}
        spellCheck={false}
        disabled={reason !== null}
        error={error}
        onChange={(event) => {
          setText(event.target.value)
          setRefused(null)
        }}
      />
      {isChanged && (
        <div>
          <Button type="submit" busy={busy} reason={reason}>
            Save
          </Button>
        </div>
      )}
    </Form>
  )
}

/** Says which line cannot be saved, and why; null if all can. */
function problemOf(name: ListName, lines: readonly string[]): string | null {
  const issue = PrivacySettings.shape[name].safeParse(lines).error?.issues[0]
  const line = lines[Number(issue?.path[0])]
  if (!issue) return null
  return line === undefined ? issue.message : `${line}: ${issue.message}`
}
