import { createContext, use, useId } from 'react'
import { Button } from '../../ui/controls/button.tsx'
import { CheckboxField } from '../../ui/controls/field.tsx'
import { LineDrawing } from '../../ui/icon.tsx'
import { createAtom, useSelector } from '@tanstack/react-store'
import { z } from 'zod'
import { readStored } from '../../format/stored.ts'
import { afterPaint } from '../../ui/controls/next-paint.ts'

export type Density = 'compact' | 'roomy'

/** How this browser shows the list; `columns` are the headers of the chosen columns, null for the usual ones. */
const ViewPreference = z.object({
  density: z.enum(['compact', 'roomy']).catch('compact'),
  columns: z.array(z.string()).nullable().catch(null),
})
type ViewPreference = z.infer<typeof ViewPreference>

const storageKey = 'spool.recordings'
const current = createAtom(ViewPreference.parse(readStored(storageKey)))

export function useViewPreference(): ViewPreference {
  return useSelector(current)
}

export function setViewPreference(change: Partial<ViewPreference>): void {
  current.set((before) => ({ ...before, ...change }))
  localStorage.setItem(storageKey, JSON.stringify(current.get()))
}

/** The headers of the columns that can be chosen, and of those that are shown. */
export const ColumnChoice = createContext<{ all: readonly string[]; shown: readonly string[] }>({
  all: [],
  shown: [],
})

/** The switch between compact and roomy rows, and the choice of columns. */
export function ViewControls() {
  const { density } = useViewPreference()
  const { all } = use(ColumnChoice)
  const isRoomy = density === 'roomy'
  return (
    <span className="absolute top-1 right-1 flex">
      <Button
        look="quiet"
        size="icon"
        aria-pressed={isRoomy}
        aria-label="Comfortable rows"
        title={isRoomy ? 'Compact rows' : 'Comfortable rows, with a picture'}
        onClick={({ currentTarget }) =>
          void afterPaint(currentTarget, () => setViewPreference({ density: isRoomy ? 'compact' : 'roomy' }))
        }
      >
        <LineDrawing
          path={
            isRoomy ? 'M2.5 3h11v4h-11zM2.5 9.5h11v4h-11z' : 'M2.5 3.5h11M2.5 6.5h11M2.5 9.5h11M2.5 12.5h11'
          }
        />
      </Button>
      {all.length > 0 && <ColumnChooser />}
    </span>
  )
}

function ColumnChooser() {
  const id = useId()
  const { columns } = useViewPreference()
  const { all, shown } = use(ColumnChoice)
  const toggle = (header: string) =>
    setViewPreference({
      columns: shown.includes(header) ? shown.filter((each) => each !== header) : [...shown, header],
    })
  return (
    <>
      <Button look="quiet" size="icon" aria-label="Columns" popoverTarget={id}>
        <LineDrawing path="M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10" />
      </Button>
      <div
        id={id}
        popover="auto"
        className="anchored min-w-44 rounded-lg border border-line bg-raised p-3 text-left text-base font-normal text-ink shadow-overlay"
      >
        <fieldset className="flex flex-col gap-1.5">
          <legend className="mb-1.5 text-xs font-medium text-ink-3">Columns</legend>
          {all.map((header) => (
            <CheckboxField
              key={header}
              label={header}
              checked={shown.includes(header)}
              onChange={() => toggle(header)}
            />
          ))}
        </fieldset>
        <p className="mt-3">
          <Button
            reason={columns ? null : 'These are the default columns.'}
            onClick={() => setViewPreference({ columns: null })}
          >
            Default columns
          </Button>
        </p>
      </div>
    </>
  )
}
