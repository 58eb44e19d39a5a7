import { useEffect, useMemo } from 'react'
import { usePlayer, type Player } from './player.ts'
import { chooseHighlights, highlightMoments } from './choose-highlights.ts'

const none: readonly number[] = []

/**
 * Chooses the parts of the player's highlights once the whole recording has been read. `submits` are the times (ms since the start)
 * when forms were submitted; it must be the same array until they change.
 */
export function useHighlights(player: Player, isAllRead: boolean, submits: readonly number[] = none): void {
  const seconds = usePlayer(player, ({ highlightSeconds }) => (isAllRead ? highlightSeconds : null))
  const marks = usePlayer(player, (state) => (seconds === null ? null : state.marks))
  const outline = usePlayer(player, (state) => (seconds === null ? null : state.outline))
  const highlights = useMemo(() => {
    if (seconds === null || !marks || !outline) return null
    const { idle, end } = outline
    return chooseHighlights({ moments: highlightMoments(marks, submits), idle, end }, seconds * 1000)
  }, [seconds, marks, outline, submits])
  useEffect(() => player.sendHighlights(highlights), [player, highlights])
}
