import { stripBits, stripLength } from '../../../contract/recordings/recording-facts.ts'
import { stretches, type Activity } from '../../snapshots/activity.ts'

/** Collects the strip of a recording: for each equal slice of the time between two moments (ms), what happened in it. */
export class ActivityStrip {
  private readonly slices = Array.from({ length: stripLength }, () => 0)
  private readonly start: number
  private readonly width: number

  constructor(start: number, end: number) {
    this.start = start
    this.width = Math.max(end - start, 1) / stripLength
  }

  mark(sign: keyof typeof stripBits, at: number, until = at): void {
    const last = this.sliceAt(until)
    for (let slice = this.sliceAt(at); slice <= last; slice += 1)
      this.slices[slice] = (this.slices[slice] ?? 0) | stripBits[sign]
  }

  /** Returns the strip with these stretches of activity. */
  withActivity(activity: Activity): number[] {
    for (const [from, to] of stretches(activity)) this.mark('active', from, to)
    return [...this.slices]
  }

  private sliceAt(at: number): number {
    return Math.min(Math.max(Math.floor((at - this.start) / this.width), 0), stripLength - 1)
  }
}
