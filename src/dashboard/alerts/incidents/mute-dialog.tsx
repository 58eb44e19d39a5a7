import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { muteMsMax, type Incident } from '../../../contract/alerts/alert-incident.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Form, FormActions } from '../../ui/controls/form.tsx'
import { Dialog } from '../../ui/controls/dialog.tsx'
import { TextField } from '../../ui/controls/field.tsx'
import { useSending } from '../use-sending.ts'
import { usePreferences } from '../../format/preferences.ts'
import { fieldTime, readFieldTime, zoneName } from '../../format/time.ts'
import { muteUntil, namedIncidents } from './incident-actions.ts'

const hourMs = 3_600_000
const choices = [
  [1, '1 hour'],
  [8, '8 hours'],
  [24, '1 day'],
] as const

/** Returns what the actions on incidents need, and the dialog that they may open. `open` shows an incident. */
export function useIncidentContext(open: (incident: Incident) => void) {
  const sending = useSending()
  const navigate = useNavigate()
  const [muting, mute] = useState<readonly Incident[]>([])
  const fix = ({ url }: Incident) => void navigate({ href: url })
  const dialog = muting.length > 0 && <MuteDialog incidents={muting} onClose={() => mute([])} />
  return { context: { ...sending, open, fix, mute }, dialog }
}

/** Asks how long incidents send no reminders. */
function MuteDialog({ incidents, onClose }: { incidents: readonly Incident[]; onClose: () => void }) {
  const sending = useSending()
  const { zone } = usePreferences()
  const [openedAt] = useState(() => Date.now())
  const [text, setText] = useState(() => fieldTime(openedAt + 3 * 24 * hourMs, zone))
  const [error, setError] = useState<string>()
  const mute = (until: string, inWords: string) => {
    void muteUntil(sending, incidents, until, inWords)
    onClose()
  }
  return (
    <Dialog title={`Mute ${namedIncidents(incidents)}`} onClose={onClose}>
      <p className="text-ink-2">
        No reminders are sent until then. The recovery is still sent, and the incident stays in the list.
      </p>
      <fieldset className="my-4 flex flex-wrap gap-2">
        <legend className="mb-1 font-medium">For</legend>
        {choices.map(([hours, label]) => (
          <Button
            key={hours}
            onClick={() => mute(new Date(Date.now() + hours * hourMs).toISOString(), `for ${label}`)}
          >
            {label}
          </Button>
        ))}
      </fieldset>
      <Form
        noValidate
        className="flex flex-col gap-3"
        onSubmit={() => {
          const until = readFieldTime(text, zone)
          if (until === null) return setError('Enter a date and a time.')
          if (Date.parse(until) <= Date.now()) return setError('Choose a time in the future.')
          if (Date.parse(until) > Date.now() + muteMsMax) return setError('Choose a time within a year.')
          mute(until, `until ${text.replace('T', ' ')}`)
        }}
      >
        <TextField
          type="datetime-local"
          label={`Until (${zoneName(zone)})`}
          value={text}
          error={error}
          onChange={(event) => setText(event.target.value)}
        />
        <FormActions onCancel={onClose}>Mute until then</FormActions>
      </Form>
    </Dialog>
  )
}
