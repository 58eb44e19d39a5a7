import { z } from 'zod'
import type { StackFrame } from '../../contract/recordings/error-cluster.ts'

/** A stack longer than this is cut after its innermost frames. */
const framesMax = 100

const text = z.string().catch('')
const number = z.int().nullable().catch(null)
const lines = z.array(z.string()).catch([])

const Frame = z.object({
  function: text,
  filename: text,
  lineno: number,
  colno: number,
  in_app: z.boolean().catch(true),
  context_line: z.string().nullable().catch(null),
  pre_context: lines,
  post_context: lines,
})
const Properties = z.object({
  $exception_list: z.array(
    z.object({ stacktrace: z.object({ frames: z.array(Frame.catch(Frame.parse({}))) }) }),
  ),
})

/** Reads the stack of an exception from its event's properties, innermost call first; null if it has none. */
export function readStack(properties: unknown): StackFrame[] | null {
  const frames = Properties.safeParse(properties).data?.$exception_list[0]?.stacktrace.frames
  if (!frames || frames.length === 0) return null
  // posthog-js sends the outermost call first.
  return frames.toReversed().slice(0, framesMax).map(showFrame)
}

function showFrame(frame: z.infer<typeof Frame>): StackFrame {
  const { context_line: source, pre_context: before, post_context: after } = frame
  return {
    function: frame.function,
    file: frame.filename,
    line: frame.lineno,
    column: frame.colno,
    in_app: frame.in_app,
    context: source === null ? null : { before, source, after },
  }
}
