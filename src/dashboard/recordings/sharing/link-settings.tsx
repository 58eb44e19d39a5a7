import { useContext, useState } from 'react'
import {
  linkShows,
  recordingCan,
  shownWith,
  type LinkShows,
} from '../../../contract/recordings/recording-rules.ts'
import { useAccount } from '../../account.ts'
import { Button } from '../../ui/controls/button.tsx'
import { CheckboxField, SelectField, TextField } from '../../ui/controls/field.tsx'
import { clockTime } from '../../format/clock.ts'
import { usePreferences } from '../../format/preferences.ts'
import { fieldTime, zoneName } from '../../format/time.ts'
import { ElementMasks, LinkTargetContext } from './element-masks.tsx'
import { changesOf, draftErrors, maskKinds, masksOf, showsInWords, type LinkDraft } from './link-draft.ts'
import { Form } from '../../ui/controls/form.tsx'

const expiries = { '1 day': 1, '7 days': 7, '30 days': 30 }
const dayMs = 86_400_000

export type LinkSettingsProps = {
  saved: LinkDraft
  hasPassword: boolean
  busy: boolean
  onSave: (changes: ReturnType<typeof changesOf>) => void
}

/** A form with the name and the limits of a link. */
export function LinkSettings({ saved, hasPassword, busy, onSave }: LinkSettingsProps) {
  const { scopes } = useAccount()
  const { zone } = usePreferences()
  const [draft, setDraft] = useState(saved)
  const change = (part: Partial<LinkDraft>) => setDraft({ ...draft, ...part })
  const errors = draftErrors(draft)
  const changes = changesOf(draft, saved, zone)
  const isValid = Object.keys(errors).length === 0
  const isSaved = Object.keys(changes).length === 0
  const reason = recordingCan.share(scopes) ?? (isSaved ? 'Nothing has changed.' : null)
  return (
    <Form className="flex flex-col gap-3.5" onSubmit={() => isValid && onSave(changes)}>
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
      {draft.names === undefined && (
        <div className="grid gap-3 sm:grid-cols-2">
          <Position name="start" {...{ draft, change, errors }} />
          <Position name="end" {...{ draft, change, errors }} />
        </div>
      )}
      <Shown draft={draft} change={change} />
      <HiddenParts draft={draft} change={change} />
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
          {Object.entries(expiries).map(([words, days]) => (
            <Button
              key={words}
              onClick={() => change({ expires: fieldTime(Date.now() + days * dayMs, zone) })}
            >
              In {words}
            </Button>
          ))}
        </div>
      </div>
      <Password {...{ draft, change, hasPassword }} />
      <div>
        <Button look="primary" type="submit" reason={reason} busy={busy}>
          Save
        </Button>
      </div>
    </Form>
  )
}

type PartProps = { draft: LinkDraft; change: (part: Partial<LinkDraft>) => void }

const positions = {
  start: { label: 'Start', usual: 'The beginning', from: 'From' },
  end: { label: 'End', usual: 'The end', from: 'To' },
}

type PositionProps = PartProps & {
  name: keyof typeof positions
  errors: ReturnType<typeof draftErrors>
}

/** A field for a position in the recording, with a button for the player's. */
function Position({ name, draft, change, errors }: PositionProps) {
  const { at } = useContext(LinkTargetContext)
  const { label, usual, from } = positions[name]
  const here = at === undefined ? null : clockTime(at * 1000)
  return (
    <div className="flex flex-col gap-1.5">
      <TextField
        label={label}
        optional
        inputMode="numeric"
        placeholder={usual}
        value={draft[name]}
        error={errors[name]}
        onChange={({ target }) => change({ [name]: target.value })}
      />
      {here !== null && (
        <div>
          <Button onClick={() => change({ [name]: here })}>
            {from} here, {here}
          </Button>
        </div>
      )}
    </div>
  )
}

/** What viewers see besides the picture, and whether they see names. */
function Shown({ draft, change }: PartProps) {
  const { shows, names } = draft
  const isLess = shows !== shownWith({ shows, masks: masksOf(draft) })
  return (
    <>
      <SelectField
        label="Viewers see"
        value={shows}
        onChange={({ target }) => change({ shows: target.value as LinkShows })}
        hint={
          isLess &&
          'With hidden parts, viewers see the picture only: messages and requests can contain the same text.'
        }
      >
        {linkShows.map((each) => (
          <option key={each} value={each}>
            {showsInWords[each]}
          </option>
        ))}
      </SelectField>
      {names !== undefined && (
        <CheckboxField
          label="Show the names of visitors"
          checked={names}
          onChange={({ target }) => change({ names: target.checked })}
          hint="Otherwise, two words stand for each visitor, such as “Amber Heron”."
        />
      )}
    </>
  )
}

function HiddenParts({ draft: { kinds, selectors, names }, change }: PartProps) {
  const { isApp } = useContext(LinkTargetContext)
  const left = names === undefined ? '' : ' With hidden elements, recordings of apps are left out.'
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="pb-1 font-medium">Hidden parts</legend>
      {maskKinds.map(([kind, label]) => (
        <CheckboxField
          key={kind}
          label={label}
          checked={kinds.includes(kind)}
          onChange={({ target: { checked } }) => {
            const isOn = (each: typeof kind) => (each === kind ? checked : kinds.includes(each))
            change({ kinds: maskKinds.map(([each]) => each).filter(isOn) })
          }}
        />
      ))}
      {isApp ? (
        <p className="text-xs text-ink-2">
          Each of these also hides screenshots, which can contain them all.
        </p>
      ) : (
        <ElementMasks
          selectors={selectors}
          onChange={(text) => change({ selectors: text })}
          hint={`A CSS selector per line. Viewers see these elements blank.${left}`}
        />
      )}
    </fieldset>
  )
}

function Password({ draft: { password }, change, hasPassword }: PartProps & { hasPassword: boolean }) {
  if (password === null)
    return (
      <p className="flex flex-wrap items-center gap-2 text-ink-2">
        The password will be removed. <Button onClick={() => change({ password: '' })}>Keep it</Button>
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
        onChange={({ target }) => change({ password: target.value })}
        hint={
          hasPassword
            ? 'The link requires a password, which is never shown.'
            : 'Anyone who opens the link must enter it.'
        }
      />
      {hasPassword && (
        <div>
          <Button onClick={() => change({ password: null })}>Remove password</Button>
        </div>
      )}
    </div>
  )
}
