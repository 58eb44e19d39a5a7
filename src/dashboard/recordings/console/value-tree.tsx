import { useState } from 'react'

/** Entries shown at once. */
const entriesMax = 100
const previewLengthMax = 80

/** An object or list that can be expanded, level by level. */
export function ValueTree({ name, value }: { name?: string; value: object }) {
  const [isOpen, setOpen] = useState(false)
  const [shown, setShown] = useState(entriesMax)
  const label = name === undefined ? '' : `${name}: `
  const entries = isOpen ? Object.entries(value) : []
  return (
    <details
      className="inline-block max-w-full align-top"
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="wrap-anywhere">
        <span className="text-ink-2">{label}</span>
        {preview(value)}
      </summary>
      <ul className="pl-4">
        {entries.slice(0, shown).map(([key, item]) => (
          <li key={key}>
            <Entry name={key} value={item} />
          </li>
        ))}
      </ul>
      {entries.length > shown && (
        <button type="button" className="pl-4 underline" onClick={() => setShown(shown + entriesMax)}>
          Show more of {entries.length}
        </button>
      )}
    </details>
  )
}

function Entry({ name, value }: { name: string; value: unknown }) {
  if (typeof value === 'object' && value !== null) return <ValueTree name={name} value={value} />
  return (
    <>
      <span className="text-ink-2">{name}: </span>
      {JSON.stringify(value)}
    </>
  )
}

function preview(value: object): string {
  const text = JSON.stringify(value)
  return text.length > previewLengthMax ? `${text.slice(0, previewLengthMax)}…` : text
}
