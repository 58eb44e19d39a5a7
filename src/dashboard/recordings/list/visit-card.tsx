import { use } from 'react'
import { RelativeTime } from '../../ui/time.tsx'
import { clockTime } from '../../format/clock.ts'
import { DeviceIcons } from '../visit/device-icons.tsx'
import { VisitStrip } from '../visit/visit-strip.tsx'
import { MatchedContext } from './use-matched.ts'
import { useViewPreference } from './view-preference.ts'
import { MainActions, Matched, Name, Path, Problems, Thumbnail, type CellProps } from './visit-cells.tsx'

/** A visit in a narrow window. */
export function VisitCard({ row, place }: CellProps) {
  const { density } = useViewPreference()
  const matched = use(MatchedContext).get(row.id)
  return (
    <div className="flex min-w-0 flex-col gap-1 py-2">
      <span className="flex items-baseline justify-between gap-2">
        <Name row={row} place={place} />
        <span className="shrink-0 text-ink-3">
          <RelativeTime time={row.start_time} />
        </span>
      </span>
      {matched?.length ? <Matched row={row} place={place} /> : <Path row={row} />}
      <span className="flex items-center gap-2">
        <span className="min-w-0 flex-1">
          <VisitStrip recording={row} />
        </span>
        {clockTime(row.recording_duration * 1000)}
      </span>
      <span className="flex h-5 min-w-0 items-center justify-between gap-2">
        <Problems row={row} place={place} shown={1} lines="block truncate" />
        {row.visit && <DeviceIcons device={row.visit} />}
      </span>
      <span className="flex items-center gap-1.5">
        <MainActions row={row} place={place} />
        <span className="ml-auto">{place.menu}</span>
      </span>
      {density === 'roomy' && <Thumbnail row={row} place={place} className="h-36" />}
    </div>
  )
}
