"""How Korean notations are read: numerals, counters, letters, symbols, and words that only look like numerals.

Tables for people to read and extend, like those of `spoken_units.py`; `notations.py` has the rules that use them. In a
row the notation comes first and then its usual readings; the first one of these is the canonical one, whose syllables a
reference counts. The National Institute of Korean Language says that no regulation fixes how numbers are read, habit
does: so where two readings are in use, both are here. `VERSION` changes whenever a row of either file does, because
rates may change then.
"""

import re

VERSION = "3"


def words(text: str) -> list[str]:
    """Returns the words of a text."""
    return text.split()


def table_rows(text: str) -> dict[str, list[str]]:
    """Returns what each line names first, with the rest of the line.

    >>> table_rows("kg 킬로 킬로그램")
    {'kg': ['킬로', '킬로그램']}
    """
    return {name: readings for name, *readings in (line.split() for line in text.strip().splitlines())}


DIGITS = "영일이삼사오육칠팔구"
MYRIADS = ("", "만", "억", "조", "경")

# 1 to 9 and 10 to 90 before a counter
NATIVE_ONES = ("", "한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉")
NATIVE_TENS = ("", "열", "스물", "서른", "마흔", "쉰", "예순", "일흔", "여든", "아흔")


# counters that take native numerals; from 10 on Sino-Korean ones are heard too
NATIVE_COUNTERS = words("""
개 명 사람 분 마리 권 잔 병 컵 캔 그릇 접시 대 척 채 벌 켤레 짝 쌍 송이 그루 포기 다발 줄기 자루 통
봉지 상자 박스 갑 팩 알 톨 모 단 판 조각 토막 장 줄 가닥 가지 군데 곳 번 차례 바퀴 걸음 모금 숟갈 끼
달 시 시간 살 배 곱 겹 갈래 편 곡 마디 방울 점 팀 집 칸 발 돈 말 되 섬 냥 푼 필 손 두름 축 쾌 톳
쌈 첩 정거장 번째 째 스푼 테이블 세트 주 반 세대 가구 골 공기 사발 숟가락 젓가락 큰술 작은술 바가지 뭉치
무더기 꾸러미 묶음 덩이 덩어리 뿌리 꼬치 바구니 가마니 포대 통화 마지기 뼘 수 발자국 발짝 계단 나라 도시 글자
단어 문장 과목 문제 문항 식구 형제 자매 남매 아들 딸 아이 친구 커플 부부 종류 회사 학교 작품 장면 부분 방향
개월 평 동 여 쪽 페이지 층 자리 세대 타래 다스 근 홉 접 해 줌 컷 건 표 학기 주일 단계 등급 라운드
코스 채널 차로 차선 세기 구역 경기 음절 소절 품목 국자 티스푼 꼬집 움큼 대접 뚝배기 바늘 곱절 갑절 닢 가락 송이
블록 학급 모둠 항목 손가락 발가락 구 가마 마당 폭
개사 개팀 개조 개종 개시 개도 개군 개구 개동 개반 개층 개사단 개시도 개학교 개학급 개학과 개대학 개부처 개기관
개업체 개기업 개항목 개과목 개분야 개지역 개지점 개점포 개매장 개노선 개구간 개구단 개정당 개단체 개품목 개언어
""")

# counters that take Sino-Korean numerals alone, or too; the readings of units are added to these
SINO_COUNTERS = words("""
년 년대 년생 년도 년간 년차 주차 일차 회차 점차 월 일 일간
분 초 주 주일 주년 개월 개월간 세 세기 층 원 원권 호 호실 호선 번
번지 번길 번가 동 단지 학년 학번 반 교시 페이지 쪽 과 장 절 조 항 권 편 회 차 차례 기 대 등 위 급
단 인 인분 인승 인용 명 석 표 점 승 패 무 전 골 배속 단계 박 평 교 국 개국 개소 개교 개년 분기 출구
구역 달러 도 부 막 탄 군 군단 사단 분의 여 몇 세트 라운드 킬로 센티 채널 연승 연패 연속 관왕 종
종류 자리 자릿수 분대 팀 경기 타석 안타 등급 엔 유로 위안 파운드 불 루블 루피 바트 학기 성급 강 강전
루타 루수 심 타수 타점 도루 이닝 승제 판승제 륜구동 중창 중주 중추돌 중충돌 지신 절기 곡밥 남매 형제 자매
개사 개팀 개조 개종 개시 개도 개군 개구 개동 개반 개층 개사단 개시도 개학교 개학급 개학과 개대학 개부처 개기관
개업체 개기업 개항목 개과목 개분야 개지역 개지점 개점포 개매장 개노선 개구간 개구단 개정당 개단체 개품목 개언어
세대 자 자회담 자대결 자구도 역 건 량 매 열 행 음절 품목 기통 도씨 마력 화소 비트 코어 기압 리 해리 노트 에이커 갤런
배럴 온스 캐럿
학점 인실 인조 인방 평형 호기 호차 호점 등분 진법 학급 차시 반기 모둠 번대 악장 코스 배 필지 가구 선승제 선승 선발 선
인칭 인극 부작 면체 각형 차원 차로 차선 연임 위권 회분 회전 교대 대째 박자 옥타브
""")

# nouns before which 이 and a blank mean "this" more often than 2, as in 이 페이지; so it is before each counter of one
# syllable, as in 이 분, and these need not be listed
AFTER_THIS = frozenset(
    words("""
페이지 채널 라운드 세트 단지 종류 경기 타석 구역 출구 자리 등급 단계 호실 이닝 학기 차로 차선 차원 박자 옥타브
남매 형제 자매
""")
)

# words that read as a digit with a counter right behind it, and are more usual
COUNTED_WORDS = frozenset(words("사과 사장 일단 이동 일반 이기 사기 일기 오기 이번 이불 일자리 사건 이건 이쪽"))
# and those that they begin if no particle follows: 세대교체, 두통약
COUNTED_NATIVE = frozenset(words("세수 네모 세모 두통 세척 세배 세대 열대 한편 한층 두건 두근"))

# counters that are usual only with some numbers, other than which they are the end of a noun (천국, 육교, 오심)
FEW_COUNTED = {
    "국": (3,),
    "교": (),
    "심": (1, 2, 3),
    "무": (),
    "전": (),
    "자": (3,),
    "역": (2, 3),
    "행": (3, 4, 10),
    "매": (2, 3, 4, 5, 6, 7, 8, 10, 100, 1000, 10000),
    "리": (100, 1000, 10000),
    "선": (2, 3, 4, 5, 6),
    "해": (1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
    "여": (10, 100, 1000, 10000),
    "몇": (10, 100, 1000, 10000),
}

# what may follow a counter of one syllable without a blank, besides particles; in 일부러 and 사회적 it follows none
AFTER_COUNTERS = words("""
간 여 경 째 말 초 중 전 후 뒤 내 당 급 형 용 제 권 생 반 번 째 만 쯤 동안 이상 이하 미만 초과 이내 가량 남짓
가족 세트 아파트 건물 집 방 침대 버스 열차 대회 리그 시리즈 시즌 학생 교실 방송 드라마 라면 카레 정상 회담 전쟁
혁명 산업 대전 세계대전 사업 계획 시험 면접 투표 당선 후보 당첨 복권 신인 상 석 점 기 선수 타자 투수 도시 축제
접종 장 기념 조 칸 짜리 슛 열 부제 모작 중주 중창
""")

# both take, but Sino-Korean ones are more usual
SINO_FIRST = frozenset(
    words("""
개월 평 동 여 쪽 페이지 층 표 학기 주일 단계 등급 라운드 코스 채널 차로 차선 세기 구역 경기 음절 품목
개사 개팀 개조 개종 개시 개도 개군 개구 개동 개반 개층 개사단 개시도 개학교 개학급 개학과 개대학 개부처 개기관
개업체 개기업 개항목 개과목 개분야 개지역 개지점 개점포 개매장 개노선 개구간 개구단 개정당 개단체 개품목 개언어
""")
)

# numbers before these are often read digit by digit
DIGIT_COUNTERS = frozenset(words("년 년생 년도 학번 호 호실 번 동 번지 편"))

# 3 and 4 before old measures
OLD_MEASURES = {
    3: table_rows("돈 서\n말 서\n발 서\n푼 서\n냥 석\n되 석\n섬 석\n달 석\n장 석"),
    4: table_rows("돈 너\n말 너\n발 너\n푼 너\n냥 넉\n되 넉\n섬 넉\n달 넉\n장 넉"),
}

MONTHS = {6: "유", 10: "시"}

# what may follow a number that stands alone, with the start of the next eojeol; these decide nothing but that it ends
PARTICLES = words("""
이 가 은 는 을 를 의 에 에서 에게 와 과 로 으로 도 만 나 이나 부터 까지 보다 쯤 정도 대 처럼 만큼
마다 씩 짜리 님 들 입니다 이다 이에요 예요 이라는 이라고 이고 이며 인 일까 이야 야 였다 이었다 였습니다
이었습니다 에는 에도 로는 으로는 에서는
""")

# of these the ones before which even one syllable is a number: no other word of one syllable is usual before them
CLEAR_PARTICLES = words("부터 까지 보다 입니다 이다 이에요 예요 이라는 이라고")

# approximate numbers: from, to, native readings before a counter, Sino-Korean ones
APPROXIMATE = {
    (1, 2): ["한두", "일이"],
    (2, 3): ["두세", "이삼"],
    (3, 4): ["서너", "세네", "삼사"],
    (2, 4): ["두서너"],
    (4, 5): ["네댓", "너덧", "네다섯", "너댓", "사오"],
    (5, 6): ["대여섯", "오륙", "오뉴"],
    (6, 7): ["예닐곱", "육칠"],
    (7, 8): ["일고여덟", "칠팔"],
    (8, 9): ["여덟아홉", "엳아홉", "팔구"],
}
APPROXIMATE_SINO = {pair: readings[-1] for pair, readings in APPROXIMATE.items() if pair[1] - pair[0] == 1}
APPROXIMATE_SINO[(5, 6)] = "오륙"

LETTERS = table_rows("""
A 에이
B 비
C 시 씨
D 디
E 이
F 에프
G 지 쥐
H 에이치 에치
I 아이
J 제이
K 케이
L 엘
M 엠
N 엔
O 오
P 피
Q 큐
R 아르 알
S 에스
T 티
U 유
V 브이
W 더블유 더블류
X 엑스
Y 와이
Z 제트 지 젯
α 알파
β 베타
γ 감마
π 파이
μ 뮤
Ω 옴
""")

# letters with another name in these words
NAMES_IN_WORDS = {"V": (["브이", "비"], re.compile(r"[A-Z]*TV[A-Z]?|DVD|VTR|VCR"))}

# English numerals, beside Latin letters and in offers (1+1)
ENGLISH_NUMERALS = table_rows("""
0 제로 오
1 원
2 투
3 쓰리 스리
4 포
5 파이브
6 식스
7 세븐
8 에이트 에잇
9 나인
10 텐
11 일레븐
12 트웰브
20 투엔티
""")

# between two numbers, also between others where the rules say so; "-" means that it is not read
JOINTS = table_rows("""
~ 에서 - 부터 내지 물결
- - 에 대 에서 다시 대시 빼기 마이너스
: 대 -
+ 더하기 플러스
× 곱하기
* 곱하기
÷ 나누기
= 은 는 이퀄
/ - 슬래시
· -
. - 닷 점
& 앤드 앤
@ 골뱅이 앳
""")

SYMBOLS = table_rows("""
# 샵 우물정
* 별표
√ 루트
no 넘버 노
(주) 주식회사
(유) 유한회사
(재) 재단법인
(사) 사단법인
vs 대 브이에스
""")

# days and years that are read digit by digit, "3.1" and "3·1" alike
NAMED_DAYS = frozenset(words("3.1 4.19 5.16 5.18 6.10 6.25 6.29 8.15 9.11 10.26 12.12 7.4 1.4 2.28 3.15 4.3 4.16"))

POWERS = {"²": ["의 제곱", "제곱"], "³": ["의 세제곱", "세제곱"], "⁴": ["의 네제곱", "의 사제곱", "네제곱"]}

# words of numeral syllables or letter names: a number or letter that stands alone never reads as one of these
WORDS = frozenset(
    words("""
천사 오이 사이 이사 일이 영구 공구 사만다 구이 일일 백이 천이 만이 사사 구구 일만 오만 이만 만일 이백 조사 이조 사조
오일 백일 천일 공사 공이 사공 공일 일조 오사 사구 십이지 공공 영영 공영 영공 영사 영일 영이
이보다 일보다 일입니 일예요 시일 시사 시구 이오 지구 지사 피구 유일 유사 비구 이일 이팔 지오
이유 에이 아이 오이 비오 이지 유지 오지 유비 시유 이비 지시 시시 비유 오디 알지 오시 유시 디디 시오 지유
지지 알 이 비 씨 시 디 지 오 유 피 티 엔 네모 세제 세상 한국 한복 육지 백설 구름 팔찌
""")
)

# letters that are names, and read as a word only before these
NAMES_AND_WORDS = {"BG": re.compile("찌개|떡|죽|탕|[을를가] "), "CB": re.compile("(?:[를가]? ?[걸붙거]|조)")}

# Latin letters as numerals, where they stand as ones: before these counters, behind 제, and behind a name (수학 II)
_UNITS_OF_ROMAN = words("- I II III IV V VI VII VIII IX")
ROMAN_LETTERS = {
    (tens + ones).replace("-", ""): 10 * place + value
    for place, tens in enumerate(("", "X", "XX", "XXX"))
    for value, ones in enumerate(_UNITS_OF_ROMAN)
    if place or value
}
ROMAN_COUNTERS = frozenset(words("세 장 부 권 편 막 악장 절 호 번 기 과 조 번째 단계 세기"))

# nouns before which one letter is a letter: A형, B반
LETTER_NOUNS = words("""
형 반 조 급 등급 학점 팀 코스 동 구역 타입 메일 컵 매치 리그 라인 플랜 관 석 씨 양 군 사 안
언어 세대 셔츠 스포츠 턴 존 벨트 자형 커브 축 값 팝
""")
