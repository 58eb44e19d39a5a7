import type { Plugin } from 'vite'

/** For what rrweb's replayer lists all children of an element, and for what it uses the list. */
const listed = 'parentSn.type === NodeType.Element && mutation.node.type === NodeType.Text'
const used = `${listed} && (parentSn.tagName === "textarea" || parentSn.tagName === "style")`

/**
 * Keeps rrweb's replayer from listing the children of an element whenever a text is added to it: 10,000 texts in one element
 * blocked the player for half a minute.
 */
export function quickTextAdds(): Plugin {
  return {
    name: 'quick-text-adds',
    apply: 'build',
    transform: {
      filter: { id: /@rrweb\/replay\/.*\.js$/ },
      handler(code) {
        if (!code.includes(listed))
          return this.error(
            'rrweb has changed how it adds texts: see whether quick-text-adds.ts is still needed.',
          )
        return { code: code.replace(listed, used), map: null }
      },
    },
  }
}
