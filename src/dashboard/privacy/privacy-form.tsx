import {
  ipAddressRules,
  maskableInputTypes,
  maskableTexts,
  type IpAddressRule,
  type MaskableText,
  type PrivacySettings,
} from '../../contract/privacy/privacy-settings.ts'
import { useAccount } from '../account.ts'
import { useChangePrivacySettings } from '../queries/privacy.ts'
import { CheckboxField, SelectField } from '../ui/controls/field.tsx'
import { Switch } from '../ui/controls/switch.tsx'
import { toast, toastFailure } from '../ui/feedback/toasts.ts'
import { Section } from '../ui/section.tsx'
import { ListForm, type ListName } from './list-form.tsx'
import { TryMasks } from './try-masks.tsx'

const ipChoices: Record<IpAddressRule, string> = {
  keep: 'Keep as sent',
  truncate: 'Keep only the network (IPv4 /24, IPv6 /48)',
  drop: 'Drop',
}
const textLabels: Record<MaskableText, string> = {
  email: 'E-mail addresses',
  card: 'Card numbers',
}

type PrivacyFormProps = { settings: PrivacySettings; reason: string | null }

/** What is removed from captured data. Choices are saved at once, lists by a button. */
export function PrivacyForm({ settings, reason }: PrivacyFormProps) {
  const { projectId } = useAccount()
  const { mutate, mutateAsync } = useChangePrivacySettings(projectId)
  const change = (changes: Partial<PrivacySettings>, done: string) => {
    const names = Object.keys(changes) as (keyof PrivacySettings)[]
    const before = Object.fromEntries(names.map((name) => [name, settings[name]]))
    const undo = () => mutate(before, { onError: toastFailure('The change could not be undone.') })
    mutate(changes, {
      onSuccess: () => toast(done, { undo }),
      onError: toastFailure('The settings could not be saved.'),
    })
  }
  const listOf = (name: ListName) => ({
    name,
    saved: settings[name],
    reason,
    save: async (lines: string[]) => {
      await mutateAsync({ [name]: lines })
      toast(
        name.startsWith('masked_')
          ? 'Saved. Applies within a minute to what arrives.'
          : 'Saved. It applies to pages that visitors open from now on.',
      )
    },
  })
  return (
    <>
      <Section title="IP addresses and texts" className="flex flex-col gap-3">
        <SelectField
          label="IP addresses"
          hint="In properties such as $ip and client_ip, in those of persons, and in headers of recorded requests. Applies within a minute, and not to events that are stored already."
          value={settings.ip_addresses}
          disabled={reason !== null}
          onChange={(event) => {
            const rule = ipAddressRules.find((each) => each === event.target.value)
            if (rule) change({ ip_addresses: rule }, `IP addresses: ${ipChoices[rule].toLowerCase()}.`)
          }}
        >
          {ipAddressRules.map((rule) => (
            <option key={rule} value={rule}>
              {ipChoices[rule]}
            </option>
          ))}
        </SelectField>
        <fieldset className="flex flex-col gap-1">
          <legend className="mb-1 font-medium">Mask in events and recordings</legend>
          {maskableTexts.map((text) => (
            <CheckboxField
              key={text}
              label={textLabels[text]}
              checked={settings.masked_texts.includes(text)}
              disabled={reason !== null}
              onChange={({ target: { checked } }) =>
                change(
                  { masked_texts: withChoice(settings.masked_texts, text, checked) },
                  `${textLabels[text]}: ${checked ? 'masked' : 'kept'}.`,
                )
              }
            />
          ))}
        </fieldset>
        <ListForm
          {...listOf('masked_patterns')}
          label="Mask your own patterns"
          hint="Regular expressions, one per line, such as \bEMP-\d{4,6}\b. Asterisks replace what they match."
        />
        <p className="text-xs text-ink-3">
          Masked before they are stored: properties of events, and in recordings texts, inputs, attributes,
          addresses, requests and console messages. Distinct ids and the properties that your site sets on a
          person stay as sent, and a text that a page splits into several elements is not found. A change
          applies within a minute, and not to what is stored already.
        </p>
        <TryMasks settings={settings} />
      </Section>
      <Section title="Recordings" className="flex flex-col gap-3">
        <div className="flex gap-3">
          <Switch
            label="Mask all inputs"
            on={settings.mask_inputs}
            reason={reason}
            onChange={(on) => change({ mask_inputs: on }, `Inputs: ${on ? 'masked' : 'recorded'}.`)}
          />
          <div className="min-w-0">
            <div className="font-medium">Mask all inputs</div>
            <p className="text-ink-2">
              Recordings show asterisks for what visitors enter. Passwords are masked in any case.
            </p>
          </div>
        </div>
        {!settings.mask_inputs && (
          <fieldset className="flex flex-wrap gap-x-4 gap-y-1">
            <legend className="mb-1 font-medium">Leave out fields of these types</legend>
            {maskableInputTypes.map((type) => (
              <CheckboxField
                key={type}
                label={type}
                checked={settings.masked_input_types.includes(type)}
                disabled={reason !== null}
                onChange={({ target: { checked } }) =>
                  change(
                    { masked_input_types: withChoice(settings.masked_input_types, type, checked) },
                    `Fields of type ${type}: ${checked ? 'left out' : 'recorded'}.`,
                  )
                }
              />
            ))}
          </fieldset>
        )}
        <ListForm
          {...listOf('masked_selectors')}
          label="Mask the texts of"
          hint="CSS selectors, one per line, such as .customer-name. Texts, inputs, titles and labels of these elements become asterisks, in the browser and again before they are stored."
        />
        <ListForm
          {...listOf('blocked_selectors')}
          label="Leave out"
          hint="CSS selectors, one per line. Recordings show an empty box of the same size."
        />
        <ListForm
          {...listOf('blocked_urls')}
          label="Do not record pages"
          hint="Regular expressions that match addresses, one per line, such as /account/."
        />
      </Section>
    </>
  )
}

function withChoice<Choice>(choices: readonly Choice[], choice: Choice, on: boolean): Choice[] {
  const others = choices.filter((each) => each !== choice)
  return on ? [...others, choice] : others
}
