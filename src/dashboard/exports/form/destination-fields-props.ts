import type { Instance } from '../../../contract/instance.ts'
import type { Origin } from '../values/export-values.ts'

/** Props of the fields of a destination; each type uses some. */
export type DestinationFieldsProps = {
  instance: Instance
  /** Prefix or path of the export that is copied; null if none is. */
  copied: string | null
  /** Origin of the secrets whose fields are left empty; null if they are required. */
  secretsOf: Origin['kind'] | null
  /** The address is not the origin's, so that the secrets must be entered again. */
  isMoved: boolean
}
