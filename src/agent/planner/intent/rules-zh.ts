import type { IntentRule } from './intent-kind.js';

const CHANGE = '取消|删|改|挪|移|推迟|延|提前|分享|共享|接受|拒绝|创建|新建|添加|安排';

/** Signs in Chinese messages. A pattern has no nested repetition: messages are hostile at times. */
export const ZH_RULES: readonly IntentRule[] = [
  {
    kind: 'declined',
    score: 9,
    pattern: new RegExp(`(?:不要|不用|别|先别|勿|不想)再?(?:${CHANGE})`),
  },
  { kind: 'dismiss', score: 8, pattern: /^(?:算了|不用了|没事了?|不必了)[\s\p{P}]*$/u },
  {
    kind: 'help',
    score: 8,
    pattern:
      /(?:你|您)(?:都|还)?(?:能|会|可以)(?:帮我)?(?:做|干)?(?:些)?(?:什么|啥|哪些)(?!时候)|有(?:什么|哪些)(?:功能|能力)|^(?:帮助|功能|说明|使用说明)[\s\p{P}]*$|怎么(?:用|使用)/u,
  },
  { kind: 'help', score: 9, pattern: new RegExp(`(?:怎么|如何|怎样)(?:才能)?(?:${CHANGE})`) },
  {
    kind: 'greet',
    score: 8,
    pattern:
      /^(?:你好|您好|嗨|哈喽|哈啰|早|早安|早上好|上午好|中午好|下午好|晚上好|在吗|在不在)(?:啊|呀|吗)?[\s\p{P}]*$/u,
  },
  {
    kind: 'thank',
    score: 8,
    pattern:
      /^(?:好的?|嗯|太好了)?[\s\p{P}]*(?:非常|十分|太)?(?:谢谢|多谢|感谢|谢啦|谢了|辛苦了)(?:你|您|啦|了)?[\s\p{P}]*$/u,
  },
  {
    kind: 'look_up',
    score: 9,
    pattern: /(?:取消|删除?|改|推迟|延期|接受|拒绝)(?:了|过)?(?:吗|没有?|么)[\s\p{P}]*$/u,
  },

  {
    kind: 'free_busy',
    score: 12,
    pattern:
      /忙闲|(?:大家|他们|她们|所有人|团队|同事|[A-Za-z]{2,20})[^我]{0,12}(?:有空|空闲|方便)|(?:跟|和|与)?\p{Script=Han}{1,3}(?<!我|天|午|周)(?:都|什么时候|何时|哪天)(?:有空|方便|空闲)|共同(?:空闲|时间)|都有空/u,
  },
  {
    kind: 'unknown',
    score: 6,
    pattern:
      /天气|气温|下雨|股票|股价|汇率|笑话|翻译|写(?:一)?[首篇]|菜谱|唱(?:一)?首|多少钱|(?:现在|当前)几点|几点了/,
  },
  {
    kind: 'contacts',
    score: 6,
    pattern:
      /联系人|通讯录|名片|(?:电话|手机|联系)(?:号码|方式)|(?:电话|手机|邮箱)是?(?:什么|多少)/,
  },
  {
    kind: 'memory',
    score: 5,
    pattern: /记住|(?:你|您)(?:还)?记得|(?:我的)(?:偏好|喜好|习惯)|忘(?:掉|记)(?:我|这)/,
  },

  {
    kind: 'list_invitations',
    score: 6,
    pattern:
      /(?:哪些|什么|有没有|看|查|列|多少|几个|未处理|待处理|待确认|待回复|我的|收到|新的?|所有|全部).{0,12}(?:邀请|邀约)|(?:邀请|邀约).{0,6}(?:吗|列表|哪些|有谁|有什么)/,
  },
  { kind: 'list_invitations', score: 3, pattern: /^(?:邀请|邀约)[\s\p{P}]*$/u },
  {
    kind: 'accept_invite',
    score: 7,
    pattern: /接受|同意.{0,20}邀请|答应.{0,20}邀请|(?:确认|同意)(?:参加|出席)/,
  },
  {
    kind: 'reject_invite',
    score: 7.5,
    pattern: /拒绝|婉拒|谢绝|回绝|推掉|不(?:接受|参加|出席|去)/,
  },
  { kind: 'share', score: 6, pattern: /分享|共享|转发给/ },
  {
    kind: 'delete',
    score: 5,
    pattern:
      /取消|删掉|删除|删了|删去|删\s*(?=\uE000|\p{Script=Han}|[A-Za-z])|去掉|移除|撤销|不开了/u,
  },
  {
    kind: 'update',
    score: 5.5,
    pattern:
      /改(?:到|成|为|在|至|期|名|叫|一下|时间|地点)|挪|移(?:到|至)|调(?:到|整|至)|换(?:到|成|至|在)|推(?:迟|后)|延(?:后|迟|期|长)|顺延|缩短|重命名|更名|修改|变更|更新|(?:名字|名称|标题|时间|地点)改/,
  },
  { kind: 'update', score: 5.5, pattern: /提前(?!.{0,12}提醒)/ },
  {
    kind: 'update',
    score: 5.2,
    pattern:
      /(?:邀请|叫上?|拉上?|请|让).{1,40}(?:参加|加入|出席)|给.{1,40}(?:加上|添加|增加)(?:参会|与会|参加)?/,
  },

  {
    kind: 'look_up',
    score: 4,
    pattern:
      /(?:有|是)?(?:什么|啥|哪些|多少个?|几个|几场)(?:新的?|其他|别的)?(?:安排|日程|会|活动|事|行程|约|计划|要做)/,
  },
  {
    kind: 'look_up',
    score: 3.5,
    pattern:
      /看(?:一下|看|下|一看)|(?<![复检审调抽核巡普])查(?:一下|看|下|询|查|一查)?|列出|列一下|显示|展示|告诉我|找(?:一下|找|下)?/,
  },
  { kind: 'look_up', score: 4, pattern: /几点|什么时候|啥时候|何时|哪天|多久|在哪/ },
  { kind: 'look_up', score: 4, pattern: /有没有|有无|是否有|忙不忙|有空|空闲|有时间/ },
  { kind: 'look_up', score: 2.5, pattern: /(?:吗|么|呢|没)[\s\p{P}]*$/u },
  { kind: 'look_up', score: 2, pattern: /(?:安排|日程|行程|日历|计划|日程表)[\s\p{P}]*$/u },

  {
    kind: 'create',
    score: 3.5,
    pattern: /(?<!什么|啥|哪些|的|有|多少|几个|看看|查看)安排(?!吗|呢|表|$|[\s\p{P}]*$)/u,
  },
  {
    kind: 'create',
    score: 4,
    pattern:
      /创建|新建|新增|添加|建(?:一|个|立)|预约|预订|预定|订(?=一?[个场桌间])|加(?:一|个|到|入|进)|记(?:一下|个|上)|提醒我/,
  },
  {
    kind: 'create',
    score: 3,
    pattern:
      /(?<![预大合签邀违条])约(?!会)|(?<!离|公|召|打|展|分|放|避|离)开(?:一?[个场次])?[^,，。\s\uE000]{0,12}会|定(?=一?[个场]|在|于)|排(?=一?个)/,
  },
  {
    kind: 'create',
    score: 2,
    pattern:
      /休假|请假|年假|出差|见面|吃饭|午饭|晚饭|聚餐|聚会|面试|体检|看牙|看病|培训|开会|例会|周会|评审/,
  },
];
