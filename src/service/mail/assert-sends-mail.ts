import { noMail } from '../../contract/no-mail.ts'
import type { Config } from '../config.ts'
import { conflict } from '../problems/api-error.ts'

/** @throws ApiError 409 */
export function assertSendsMail({ config }: { config: Pick<Config, 'smtp'> }): void {
  if (!config.smtp) throw conflict(noMail)
}
