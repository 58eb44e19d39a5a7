import { z } from 'zod'

/** With `as_copy`, the recording gets a new session id. */
export const ImportQuery = z.object({ as_copy: z.enum(['true', 'false']).optional() })
