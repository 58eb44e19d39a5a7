import { useFormContext } from 'react-hook-form'
import { intervals } from '../../../contract/interval.ts'
import type { Zone } from '../../format/preferences.ts'
import { SelectField, TextField } from '../../ui/controls/field.tsx'
import { everyInterval } from '../../format/interval.ts'
import { zoneName } from '../../format/time.ts'
import type { ExportValues, Origin } from '../values/export-values.ts'
import { OutlookPanel } from './schedule-panel.tsx'
import { Section } from './section.tsx'

type WhenSectionProps = {
  /** The zone of the fields' times. */
  zone: Zone
  edited: Origin | null
}

/** Fields for the interval, the start and the end. */
export function WhenSection({ zone, edited }: WhenSectionProps) {
  const { register, formState } = useFormContext<ExportValues>()
  const { errors } = formState
  return (
    <Section step={3} title="When" aside={<OutlookPanel zone={zone} edited={edited} />}>
      <SelectField
        label="Interval"
        hint="Windows are aligned to UTC; weeks start on Monday. A run starts when its window ends."
        error={errors.interval?.message}
        {...register('interval')}
      >
        {intervals.map((interval) => (
          <option key={interval} value={interval}>
            {everyInterval(interval)}
          </option>
        ))}
      </SelectField>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={`Start, ${zoneName(zone)} time`}
          optional
          type="datetime-local"
          hint={edited ? 'Leave empty for no limit.' : 'Leave empty to start with the current window.'}
          error={errors.start_at?.message}
          {...register('start_at')}
        />
        <TextField
          label={`End, ${zoneName(zone)} time`}
          optional
          type="datetime-local"
          hint="Leave empty for no end."
          error={errors.end_at?.message}
          {...register('end_at')}
        />
      </div>
    </Section>
  )
}
