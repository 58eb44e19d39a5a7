import type { StackFrame } from '../../../contract/recordings/error-cluster.ts'
import { counted } from '../../format/amount.ts'

/** Shows a stack, innermost call first; the frames of libraries are folded. */
export function ErrorStack({ stack }: { stack: readonly StackFrame[] }) {
  return (
    <ol className="flex flex-col gap-1 text-xs">
      {groupsOf(stack).map(({ start, frames }) => (
        <li key={start}>
          {frames[0]?.in_app === false ? (
            <details>
              <summary className="cursor-pointer text-ink-3">
                {counted(frames.length, 'frame')} of libraries
              </summary>
              <Frames frames={frames} />
            </details>
          ) : (
            <Frames frames={frames} />
          )}
        </li>
      ))}
    </ol>
  )
}

function Frames({ frames }: { frames: readonly StackFrame[] }) {
  return frames.map((frame, index) => (
    <div key={index} className="py-0.5 wrap-anywhere">
      <code className="font-medium">{frame.function || 'anonymous'}</code>{' '}
      <code className="text-ink-3">{placeOf(frame)}</code>
      {frame.context && (
        <pre className="mt-1 overflow-x-auto rounded-md border border-line bg-sunken p-2">
          {frame.context.before.map((line) => `${line}\n`)}
          <mark className="bg-selected text-ink">{frame.context.source}</mark>
          {frame.context.after.map((line) => `\n${line}`)}
        </pre>
      )}
    </div>
  ))
}

function placeOf({ file, line, column }: StackFrame): string {
  return [file, line, column].filter((part) => part !== null && part !== '').join(':')
}

type Group = { start: number; frames: StackFrame[] }

/** Groups adjacent frames of the site, or of libraries. */
function groupsOf(stack: readonly StackFrame[]): Group[] {
  const groups: Group[] = []
  for (const [start, frame] of stack.entries()) {
    const last = groups.at(-1)
    if (last?.frames[0]?.in_app === frame.in_app) last.frames.push(frame)
    else groups.push({ start, frames: [frame] })
  }
  return groups
}
