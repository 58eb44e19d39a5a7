import { guides } from './guide-texts.js'
import { guideList } from './layout.js'

document.querySelector('#guides').innerHTML = guideList(guides)
