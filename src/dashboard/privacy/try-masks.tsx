import { useState } from 'react'
import { maskText, type TextMasks } from '../../contract/privacy/mask-text.ts'
import { TextareaField } from '../ui/controls/field.tsx'

const triedMax = 2000

/** Shows what the saved rules leave of a text. The text stays in the browser. */
export function TryMasks({ settings }: { settings: TextMasks }) {
  const [text, setText] = useState('')
  return (
    <div className="flex flex-col gap-2">
      <TextareaField
        label="Try a text"
        hint="It is not sent or stored."
        value={text}
        maxLength={triedMax}
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
      />
      {text !== '' && (
        <div>
          <div className="text-ink-3">Stored as</div>
          <output className="block rounded-md border border-line bg-sunken px-3 py-1.5 wrap-anywhere whitespace-pre-wrap">
            {maskText(text, settings)}
          </output>
        </div>
      )}
    </div>
  )
}
