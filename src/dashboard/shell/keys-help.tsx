import { setPreferences, usePreferences } from '../format/preferences.ts'
import { Dialog } from '../ui/controls/dialog.tsx'
import { CheckboxField } from '../ui/controls/field.tsx'
import { keyInWords } from '../ui/key-hint.tsx'
import type { KeyNow } from '../ui/use-keys.ts'

/** Lists every key that worked when the help was opened. */
export function KeysHelp({ keys, onClose }: { keys: readonly KeyNow[]; onClose: () => void }) {
  const { singleKeys } = usePreferences()
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <div className="flex flex-col gap-5">
        <KeyList title="On this page" keys={keys.filter(({ place }) => place === 'page')} />
        <KeyList title="Everywhere" keys={keys.filter(({ place }) => place !== 'page')} />
        <CheckboxField
          label="Single-key shortcuts"
          hint="If off, only shortcuts with ⌘ or Ctrl work. Turn them off if you dictate or press keys by accident."
          checked={singleKeys === 'on'}
          onChange={(event) => setPreferences({ singleKeys: event.target.checked ? 'on' : 'off' })}
        />
      </div>
    </Dialog>
  )
}

function KeyList({ title, keys }: { title: string; keys: readonly KeyNow[] }) {
  if (keys.length === 0) return null
  return (
    <section aria-label={title}>
      <h3 className="mb-1 text-xs font-medium text-ink-3">{title}</h3>
      <dl className="grid grid-cols-[1fr_auto] gap-x-6">
        {[...Map.groupBy(keys, ({ does }) => does)].map(([does, same]) => (
          <div
            key={does}
            className="col-span-2 grid grid-cols-subgrid border-b border-line py-1.5 last:border-0"
          >
            <dt>{does}</dt>
            <dd className="flex gap-1.5 justify-self-end">
              {same.map(({ key }) => (
                <kbd
                  key={key}
                  className="rounded-sm border border-line-strong px-1.5 py-0.5 font-mono text-xs"
                >
                  {keyInWords(key)}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
