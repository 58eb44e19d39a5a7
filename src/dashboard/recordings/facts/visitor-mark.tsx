import { visitorHue } from '../../../contract/recordings/visitor-name.ts'

/** A small round mark whose tint belongs to the visitor, beside the visitor's name. */
export function VisitorMark({ distinctId }: { distinctId: string }) {
  return <HueMark hue={visitorHue(distinctId)} />
}

/** A small round mark with a hue in degrees. */
export function HueMark({ hue }: { hue: number }) {
  return (
    <span
      aria-hidden="true"
      className="inline-block size-2.5 shrink-0 rounded-full"
      style={{ background: `light-dark(oklch(68% 0.12 ${hue}), oklch(74% 0.11 ${hue}))` }}
    />
  )
}
