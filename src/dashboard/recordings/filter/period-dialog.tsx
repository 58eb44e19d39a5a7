import { useState } from 'react'
import { Form, FormActions } from '../../ui/controls/form.tsx'
import { Dialog } from '../../ui/controls/dialog.tsx'
import { TextField } from '../../ui/controls/field.tsx'
import { usePreferences } from '../../format/preferences.ts'
import { fieldTime, readFieldTime, zoneName } from '../../format/time.ts'
import type { FilterProps } from './filter-words.ts'

/** Asks for the first and the last start time of the listed recordings. */
export function PeriodDialog({ search, onChange, onClose }: FilterProps & { onClose: () => void }) {
  const { zone } = usePreferences()
  const asField = (text: string | undefined) =>
    text === undefined || text.startsWith('-') ? '' : fieldTime(Date.parse(text), zone)
  const [from, setFrom] = useState(() => asField(search.date_from))
  const [to, setTo] = useState(() => asField(search.date_to))
  const [tried, setTried] = useState(false)
  const isOrdered = from === '' || to === '' || from < to
  const submit = () => {
    setTried(true)
    if (!isOrdered) return
    onChange({
      date_from: readFieldTime(from, zone) ?? undefined,
      date_to: readFieldTime(to, zone) ?? undefined,
    })
    onClose()
  }
  return (
    <Dialog title="When the recordings started" onClose={onClose}>
      <Form noValidate onSubmit={submit}>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label={`From, ${zoneName(zone)} time`}
            type="datetime-local"
            value={from}
            onChange={(event) => setFrom(event.target.value)}
          />
          <TextField
            label={`Until, ${zoneName(zone)} time`}
            type="datetime-local"
            value={to}
            error={tried && !isOrdered ? 'The end must be after the start.' : undefined}
            onChange={(event) => setTo(event.target.value)}
          />
        </div>
        <FormActions onCancel={onClose}>Show recordings</FormActions>
      </Form>
    </Dialog>
  )
}
