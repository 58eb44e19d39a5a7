import { useState } from 'react'
import { snapshotSources } from '../../../contract/snapshot-source.ts'
import { usePreferences } from '../../words/preferences.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { fieldTime, readFieldTime, zoneName } from '../../words/time.ts'
import {
  consoleLevels,
  isMinimumValid,
  minimumKeys,
  readFacets,
  withFacets,
  type Facets,
  type MinimumKey,
} from './filter-facets.ts'
import type { RecordingsSearch } from '../../queries/recordings-search.ts'

type FilterDialogProps = {
  search: RecordingsSearch
  onChange: (part: Partial<RecordingsSearch>) => void
  onClose: () => void
}

/** Offers all filters, each with an explanation. */
export function FilterDialog({ search, onChange, onClose }: FilterDialogProps) {
  const { zone } = usePreferences()
  const [facets, setFacets] = useState(() => readFacets(search))
  const asField = (text: string | undefined) =>
    text === undefined || text.startsWith('-') ? '' : fieldTime(Date.parse(text), zone)
  const [from, setFrom] = useState(() => asField(search.date_from))
  const [to, setTo] = useState(() => asField(search.date_to))
  const relative = search.date_from?.startsWith('-') ? search.date_from : undefined
  const control = (name: keyof Facets) => ({
    value: facets[name],
    onChange: ({ target }: { target: { value: string } }) => setFacets({ ...facets, [name]: target.value }),
  })
  const [tried, setTried] = useState(false)
  const minimum = (name: MinimumKey | 'status') => ({
    ...control(name),
    type: 'number',
    min: 0,
    error: tried && !isMinimumValid(facets[name]) ? 'A whole number, 0 or more.' : undefined,
  })
  const isOrdered = from === '' || to === '' || from < to
  const submit = () => {
    setTried(true)
    if (!isOrdered || ![...minimumKeys, 'status' as const].every((name) => isMinimumValid(facets[name])))
      return
    const period = {
      date_from: readFieldTime(from, zone) ?? relative,
      date_to: readFieldTime(to, zone) ?? undefined,
    }
    onChange({ ...withFacets(search, trimmed(facets)), ...period })
    onClose()
  }
  return (
    <Dialog title="Filter recordings" onClose={onClose}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <TextField
          label="Event happened"
          hint="Only sessions that captured an event with exactly this name."
          {...control('event')}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField label="Console level" {...control('level')}>
            <option value="">any</option>
            {consoleLevels.map((level) => (
              <option key={level}>{level}</option>
            ))}
          </SelectField>
          <TextField
            label="Console message"
            hint="A console entry of this level that contains this text."
            {...control('message')}
          />
          <TextField
            label="Failed request’s host"
            hint="A request that got an error, or no response, from a host that contains this text."
            {...control('host')}
          />
          <TextField
            label="Failed request’s status"
            hint="For example 404; 0 if there was no response."
            {...minimum('status')}
          />
          <TextField
            label="Distinct id"
            hint="Also finds recordings with the person’s other ids."
            {...control('person')}
          />
          <SelectField label="Recorded on" {...control('source')}>
            <option value="">any device</option>
            {snapshotSources.map((source) => (
              <option key={source}>{source}</option>
            ))}
          </SelectField>
        </div>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField label="Minimum duration" hint="In seconds." {...minimum('recording_duration')} />
          <TextField label="Minimum clicks" {...minimum('click_count')} />
          <TextField label="Minimum errors" {...minimum('console_error_count')} />
          <TextField label="Minimum failed requests" {...minimum('failed_request_count')} />
        </div>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label={`Started from, ${zoneName(zone)} time`}
            type="datetime-local"
            value={from}
            onChange={(event) => setFrom(event.target.value)}
          />
          <TextField
            label={`Started until, ${zoneName(zone)} time`}
            type="datetime-local"
            value={to}
            error={tried && !isOrdered ? 'The end must be after the start.' : undefined}
            onChange={(event) => setTo(event.target.value)}
          />
        </div>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit">
            Show recordings
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function trimmed(facets: Facets): Facets {
  const { event, message, person, host } = facets
  return {
    ...facets,
    event: event.trim(),
    message: message.trim(),
    person: person.trim(),
    host: host.trim(),
  }
}
