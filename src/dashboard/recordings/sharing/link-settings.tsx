import { useContext, useState } from 'react'
import { linkShows, shownWith, type LinkShows } from '../../../contract/recordings/sharing.ts'
import { Button } from '../../ui/controls/button.tsx'
import { CheckboxField, SelectField, TextField } from '../../ui/controls/field.tsx'
import { clockTime } from '../../format/clock.ts'
import { usePreferences } from '../../format/preferences.ts'
import { fieldTime, zoneName } from '../../format/time.ts'
import { ElementMasks } from './element-masks.tsx'
import { changesOf, draftErrors, maskKinds, masksOf, type LinkDraft } from './link-draft.ts'
import { LinkTargetContext } from './link-target.ts'
import { kindInWords, showsInWords } from './link-words.ts'
import { Form } from '../../ui/controls/form.tsx'

const expiries = [
  ['1 day', 1],
  ['7 days', 7],
  ['30 days', 30],
] as const
const dayMs = 86_400_000

type LinkSettingsProps = {
  saved: LinkDraft
  hasPassword: boolean
  /** The player's position, in seconds since the start; undefined without a player. */
  at: number | undefined
  reason: string | null
  busy: boolean
  onSave: (changes: ReturnType<typeof changesOf>) => void
}

/** A form with the name and the limits of a link. */
export function LinkSettings({ saved, hasPassword, at, reason, busy, onSave }: LinkSettingsProps) {
  const { zone } = usePreferences()
  const [draft, setDraft] = useState(saved)
  const change = (part: Partial<LinkDraft>) => setDraft({ ...draft, ...part })
  const errors = draftErrors(draft)
  const isOfRecording = draft.names === undefined
  const changes = changesOf(draft, saved, zone)
  const { isApp } = useContext(LinkTargetContext)
  const isSaved = Object.keys(changes).length === 0
  return (
    <Form
      className="flex flex-col gap-3.5"
      onSubmit={() => {
        if (Object.keys(errors).length === 0) onSave(changes)
      }}
    >
      {draft.label !== undefined && (
        <TextField
          label="Name"
          optional
          maxLength={100}
          value={draft.label}
          placeholder="For the shop team"
          onChange={({ target }) => change({ label: target.value })}
          hint="Shown only here, in the list of links."
        />
      )}
      {isOfRecording && (
        <div className="grid gap-3 sm:grid-cols-2">
          <Position label="Start" name="start" usual="beginning" {...{ draft, change, errors, at }} />
          <Position label="End" name="end" usual="end" {...{ draft, change, errors, at }} />
        </div>
      )}
      <SelectField
        label="Viewers see"
        value={draft.shows}
        onChange={({ target }) => change({ shows: target.value as LinkShows })}
        hint={
          draft.shows !== shownWith({ ...draft, masks: masksOf(draft) })
            ? 'With hidden parts, viewers see the picture only: messages and requests can contain the same text.'
            : undefined
        }
      >
        {linkShows.map((shows) => (
          <option key={shows} value={shows}>
            {showsInWords[shows]}
          </option>
        ))}
      </SelectField>
      {!isOfRecording && (
        <CheckboxField
          label="Show the names of visitors"
          checked={draft.names}
          onChange={({ target }) => change({ names: target.checked })}
          hint="Otherwise, two words stand for each visitor, such as “Amber Heron”."
        />
      )}
      <fieldset className="flex flex-col gap-1.5">
        <legend className="pb-1 font-medium">Hidden parts</legend>
        {maskKinds.map((kind) => (
          <CheckboxField
            key={kind}
            label={kindInWords[kind]}
            checked={draft.kinds.includes(kind)}
            onChange={({ target }) =>
              change({
                kinds: maskKinds.filter((each) =>
                  each === kind ? target.checked : draft.kinds.includes(each),
                ),
              })
            }
          />
        ))}
        {isApp ? (
          <p className="text-xs text-ink-2">
            Each of these also hides screenshots, which can contain them all.
          </p>
        ) : (
          <ElementMasks
            selectors={draft.selectors}
            onChange={(selectors) => change({ selectors })}
            hint={`A CSS selector per line. Viewers see these elements blank.${isOfRecording ? '' : ' With hidden elements, recordings of apps are left out.'}`}
          />
        )}
      </fieldset>
      <div className="flex flex-col gap-1.5">
        <TextField
          label="Expires"
          type="datetime-local"
          optional
          value={draft.expires}
          onChange={({ target }) => change({ expires: target.value })}
          hint={`${zoneName(zone)} time. Empty: never.`}
        />
        <div className="flex flex-wrap gap-1.5">
          {expiries.map(([words, days]) => (
            <Button
              key={words}
              onClick={() => change({ expires: fieldTime(Date.now() + days * dayMs, zone) })}
            >
              In {words}
            </Button>
          ))}
        </div>
      </div>
      <Password
        hasPassword={hasPassword}
        password={draft.password}
        onChange={(password) => change({ password })}
      />
      <div>
        <Button
          look="primary"
          type="submit"
          reason={reason ?? (isSaved ? 'Nothing has changed.' : null)}
          busy={busy}
        >
          Save
        </Button>
      </div>
    </Form>
  )
}

type PositionProps = {
  label: string
  name: 'start' | 'end'
  usual: string
  draft: LinkDraft
  change: (part: Partial<LinkDraft>) => void
  errors: { start?: string; end?: string }
  at: number | undefined
}

/** A field for a position in the recording, with a button for the player's. */
function Position({ label, name, usual, draft, change, errors, at }: PositionProps) {
  const here = at === undefined ? null : clockTime(at * 1000)
  return (
    <div className="flex flex-col gap-1.5">
      <TextField
        label={label}
        optional
        inputMode="numeric"
        placeholder={`The ${usual}`}
        value={draft[name]}
        error={errors[name]}
        onChange={({ target }) => change({ [name]: target.value })}
      />
      {here !== null && (
        <div>
          <Button onClick={() => change({ [name]: here })}>
            {name === 'start' ? 'From' : 'To'} here, {here}
          </Button>
        </div>
      )}
    </div>
  )
}

type PasswordProps = {
  hasPassword: boolean
  password: string | null
  onChange: (password: string | null) => void
}

function Password({ hasPassword, password, onChange }: PasswordProps) {
  if (password === null)
    return (
      <p className="flex flex-wrap items-center gap-2 text-ink-2">
        The password will be removed. <Button onClick={() => onChange('')}>Keep it</Button>
      </p>
    )
  return (
    <div className="flex flex-col gap-1.5">
      <TextField
        label={hasPassword ? 'New password' : 'Password'}
        type="password"
        autoComplete="new-password"
        optional
        value={password}
        onChange={({ target }) => onChange(target.value)}
        hint={
          hasPassword
            ? 'The link requires a password, which is never shown.'
            : 'Anyone who opens the link must enter it.'
        }
      />
      {hasPassword && (
        <div>
          <Button onClick={() => onChange(null)}>Remove password</Button>
        </div>
      )}
    </div>
  )
}
